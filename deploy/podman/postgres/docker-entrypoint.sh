#!/bin/sh
# What compose.yaml uses of the official image's entrypoint: the first start makes the cluster, its superuser and the
# database, runs /docker-entrypoint-initdb.d/*.sh against a server that only its socket reaches, and then listens.
set -eu
if [ "${1:-}" != postgres ]; then exec "$@"; fi
shift

from_file() { # NAME: the value of NAME, or what is in the file that NAME_FILE names
  eval "value=\${$1:-} file=\${$1_FILE:-}"
  if [ -n "$file" ]; then cat "$file"; else printf '%s' "$value"; fi
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  POSTGRES_USER=${POSTGRES_USER:-postgres}
  POSTGRES_DB=${POSTGRES_DB:-$POSTGRES_USER}
  export POSTGRES_USER POSTGRES_DB
  umask 077
  from_file POSTGRES_PASSWORD >/tmp/password
  [ -s /tmp/password ] || { echo "POSTGRES_PASSWORD_FILE names no password" >&2; exit 1; }
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  rm /tmp/password
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  pg_ctl --pgdata "$PGDATA" --options "-c listen_addresses=''" --wait start >/dev/null
  [ "$POSTGRES_DB" = postgres ] || createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do
    [ ! -e "$script" ] || . "$script"
  done
  pg_ctl --pgdata "$PGDATA" --mode fast --wait stop >/dev/null
fi
exec postgres -c listen_addresses='*' "$@"
