#!/bin/bash
set -euo pipefail
trap 'rm -f /tmp/all.csv' EXIT

first=1
for name in a.csv b.csv c.csv; do
  tool files.read --path "/srv/in/$name" | jq -r . > /tmp/part.csv
  if ((first)); then cat /tmp/part.csv; first=0; else tail -n +2 /tmp/part.csv; fi
done > /tmp/all.csv

sort -t, -k2,2n /tmp/all.csv | uniq | jq -Rs . | jq '{path: "/srv/out/all.csv", text: .}' | tool files.write > /dev/null
