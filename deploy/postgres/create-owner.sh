#!/bin/sh
# Runs once, when PostgreSQL makes its cluster: the role that owns the database, and is no superuser.
set -eu
# read by psql itself: an argument would show in the list of processes
psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
\set password \`cat /run/secrets/database-password\`
create role portage login password :'password';
alter database portage owner to portage;
alter schema public owner to portage;
SQL
