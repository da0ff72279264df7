#!/usr/bin/env bash
# Show what a tool lists: show.sh [TOOL]
set -euo pipefail

if [ $# -eq 0 ]; then
  tool tickets.list --limit 10 | jq -r '.[] | "\(.id) \(.title)"'
else
  tool "$1" --limit 10
fi
