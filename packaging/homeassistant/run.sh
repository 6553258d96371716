#!/bin/sh
# What the add-on runs. Home Assistant keeps what its page was told in options.json; words behind
# this script go to the command.
set -eu
DATA=${DATA:-/data}

option() {
  python3 -c 'import json, sys
value = json.load(open(sys.argv[1])).get(sys.argv[2]) or ""
print(value)' "$DATA/options.json" "$1"
}

set -- --log-level "$(option log_level)" "$@"
[ -z "$(option small)" ] || set -- --small "$@"
[ -z "$(option photo_days)" ] || set -- --photo-days "$(option photo_days)" "$@"
[ -z "$(option address)" ] || set -- --address "$(option address)" "$@"
PIPSIGHT_MQTT=$(option mqtt) # not among the words, which every program may list
export PIPSIGHT_MQTT

# The Supervisor hands pages on, for Home Assistant itself; nobody else says who asks.
exec pipsight serve --verbose --database "$DATA/pipsight.sqlite" \
  --trust-proxy 172.30.32.1 --trust-proxy 172.30.32.2 "$@"
