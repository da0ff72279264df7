set -uo pipefail
services=(web api worker)
down=()
for service in "${services[@]}"; do
  if ! tool health --service "$service" > /tmp/health.json 2> /tmp/error.txt; then
    down+=("$service")
    continue
  fi
  state=$(jq -r '.status // "unknown"' /tmp/health.json)
  printf '%-10s %s\n' "$service" "$state"
  [[ $state == ok ]] || down+=("$service")
done
((${#down[@]} == 0)) || { echo "down: ${down[*]}" >&2; exit 1; }
