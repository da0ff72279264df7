set -e
tool deploy.restart --service web
sleep 1
tool health --service web | jq -e '.status == "ok"' > /dev/null && echo up
