#!/usr/bin/env bash
# Which orders have waited too long?
set -euo pipefail

limit=${1:-7}
now=$(date +%s)
tool orders.list --status open --limit 50 > open.json

late() {
  local days=$1
  jq -r --argjson now "$now" --argjson days "$days" \
    '.[] | select(($now - (.created // 0)) > ($days * 86400)) | .id' open.json
}

count=0
while IFS= read -r id; do
  [[ -n $id ]] || continue
  tool orders.get --id "$id" | jq -c '{id, customer, total}'
  (( ++count ))
done < <(late "$limit")

if (( count > 0 )); then
  tool notify --channel slack --text "$count orders are late"
fi
printf '%d late\n' "$count"
