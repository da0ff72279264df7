set -euo pipefail
declare -A names=([c1]=Ann [c2]=Bob)
for customer in "${!names[@]}"; do
  echo "charging ${names[$customer]}"
  tool stripe.charges.create --amount 500 --currency USD --customer "$customer" | jq -r .id
done
