#!/bin/sh
# Loads a dump of dump.sh into an empty database of a new server, which must not have Portage's processes yet.
#   load-dump.sh FILE.dump postgres://postgres@host:5432/portage
# Then run `portage recover` with the new DATABASE_URL, before any other process.
set -eu
file=${1:?"load-dump.sh FILE URL"}
url=${2:?"load-dump.sh FILE URL"}
tables=$(psql --no-psqlrc --quiet --tuples-only --no-align --dbname "$url" \
  --command "select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')")
if [ "$tables" != 0 ]; then
  echo "The database has $tables tables already. Load the dump into an empty one." >&2
  exit 1
fi
# roles that exist already are left as they are, and psql names them; passwords are not in the file
psql --no-psqlrc --quiet --dbname "$url" --file "${file%.dump}.roles.sql" || true
# all or nothing: a half database must not look like a whole one
pg_restore --dbname "$url" --single-transaction --exit-on-error "$file"
# a dump does not say who owns the database itself; whoever owns its tables could not migrate it otherwise
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname "$url" <<'SQL'
select format('alter database %I owner to %I', current_database(), tableowner)
  from pg_tables where schemaname = 'public' group by tableowner order by count(*) desc limit 1 \gexec
SQL
psql --no-psqlrc --quiet --dbname "$url" --command 'analyze'
echo "Loaded. Next: portage recover"
