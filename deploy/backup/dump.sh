#!/bin/sh
# Dumps the database and the names of its roles into a folder, for a server of another version or another maker.
#   dump.sh postgres://user@host:5432/portage FOLDER
# A dump loses all that came after it: it does not replace backup.sh.
set -eu
url=${1:?"dump.sh URL FOLDER"}
folder=${2:?"dump.sh URL FOLDER"}
umask 077
mkdir -p "$folder"
name=$folder/portage-$(date -u +%Y%m%dT%H%M%SZ)
# a dump that broke off never gets the name of a whole one
pg_dumpall --dbname "$url" --roles-only --no-role-passwords --file "$name.part-roles"
pg_dump --dbname "$url" --format custom --file "$name.part"
pg_restore --list "$name.part" >/dev/null
mv "$name.part-roles" "$name.roles.sql"
mv "$name.part" "$name.dump"
echo "$name.dump"
