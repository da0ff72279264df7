tool tickets.list_open --limit 5 |
  jq -r '.[] | "\(.id)\t\(.title)"' |
  while IFS=$'\t' read -r id title; do
    de=$(tool translate --text "$title" --to de | jq -r .)
    echo "$id: $de"
  done
