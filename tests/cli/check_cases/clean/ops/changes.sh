#!/usr/bin/env bash
set -euo pipefail
IFS=$'\n\t'

usage() { echo "usage: ${0##*/} [-n COUNT] [PATH]" >&2; exit 2; }
count=20
while getopts 'n:h' option; do
  case $option in
    n) count=$OPTARG ;;
    h | *) usage ;;
  esac
done
shift $((OPTIND - 1))
path=${1:-.}

tool git.log --count "$count" --path "$path" | jq -r . | tee log.txt | wc -l
grep -ciE 'fix|bug' log.txt || true
