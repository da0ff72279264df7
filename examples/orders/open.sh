# The orders of a month that nobody has paid, and a refund that the manifest allows beside one that it does not.
set -euo pipefail
month=${1:-2026-02}

tool list_orders --month "$month" > orders.json
echo "Open orders of $month"
jq -r '.[] | select(.status == "open") | [.order_id, .customer_id, .quantity * .unit_price] | @tsv' orders.json |
  sort -t$'\t' -k3 -nr |
  while IFS=$'\t' read -r order customer amount; do
    name=$(tool customers.get --id "$customer" | jq -r .name)
    printf '%-8s %-16s %10.2f\n' "$order" "$name" "$amount"
  done

first=$(jq -r '.[0].order_id' orders.json)
for amount in 20 500; do
  tool refund --order_id "$first" --amount "$amount" || echo "status $?"
done
