#!/bin/sh
# Backs PostgreSQL up: everything if the newest full backup is a week old or older, else what changed since the last one.
# Run it as the user postgres; portage-backup.timer does, every night. backup.sh full takes a full backup now.
set -eu
stanza=${STANZA:-portage}
kind=${1:-}
if [ -z "$kind" ]; then
  # the label of a full backup is the moment at which it began, and an F
  newest=$(pgbackrest --stanza="$stanza" info | sed -n 's/^ *full backup: \([0-9]\{8\}\)-.*/\1/p' | tail -n 1)
  if [ -n "$newest" ] && [ "$newest" -gt "$(date -d '7 days ago' +%Y%m%d)" ]; then kind=incr; else kind=full; fi
fi
# fails if the archive does not take WAL, without which a backup is worth nothing
pgbackrest --stanza="$stanza" check
pgbackrest --stanza="$stanza" --type="$kind" backup
pgbackrest --stanza="$stanza" info
