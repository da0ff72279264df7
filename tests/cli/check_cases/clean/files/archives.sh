tool archive.list --file /srv/in/backup.tar | jq -r . | grep -c '\.sql$' || echo none
tool files.list --path /srv/in | jq -r 'split("\n")[]' | xargs -I{} echo "file {}"
