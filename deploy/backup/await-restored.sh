#!/bin/sh
# Waits until a restored PostgreSQL has replayed its WAL and accepts writes; then says which commit it reached last.
# The arguments are psql's: await-restored.sh --port 5433
set -eu
ask() {
  psql --no-psqlrc --quiet --tuples-only --no-align --dbname "${PGDATABASE:-postgres}" "$@"
}
until [ "$(ask "$@" --command 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
  sleep 1
done
last=$(ask "$@" --command 'select pg_last_xact_replay_timestamp()')
echo "The server accepts writes. Its last commit: ${last:-the backup, nothing since}"
