#!/bin/sh
# Runs when PostgreSQL makes its cluster, and may run again: the role that owns the database and migrates it, and the one that
# API and worker connect as. Neither is a superuser.
set -eu
# read by psql itself: an argument would show in the list of processes
psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
\set password \`cat /run/secrets/database-password\`
\set runtime_password \`cat /run/secrets/runtime-database-password\`
select format('create role %I', name) from unnest(array['portage', 'portage_app']) name
  where not exists (select from pg_roles where rolname = name) \gexec
alter role portage login password :'password';
alter role portage_app login password :'runtime_password';
alter database portage owner to portage;
alter schema public owner to portage;
SQL
