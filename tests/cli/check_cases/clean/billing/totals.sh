#!/bin/bash
set -eu
tool stripe.charges.list --limit 100 > page.json
jq -r '.data[] | [.currency, .amount] | @tsv' page.json |
  awk -F'\t' '{ sum[$1] += $2 } END { for (c in sum) printf "%s %.2f\n", c, sum[c] / 100 }' | sort
