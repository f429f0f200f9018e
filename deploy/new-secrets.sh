#!/bin/sh
# Makes deploy/secrets: a file for each secret, as compose.yaml hands them to its services. It never changes one that is there.
# Needs the image: docker compose --file deploy/compose.yaml build
set -eu
cd "$(dirname "$0")"
: "${ENGINE:=docker}"
# as Compose reads it
[ -n "${VERSION:-}" ] || [ ! -e .env ] || VERSION=$(sed -n 's/^VERSION=//p' .env | tail -n 1 | tr -d "\"' ")
image=portage:${VERSION:-dev}

# The folder is what keeps others of this machine out: the services' users, which are none of its own, must read the files.
umask 077
mkdir -p secrets

# keep NAME COMMAND…: what the command prints, unless there is such a file
keep() {
  file=secrets/$1
  shift
  [ ! -e "$file" ] || return 0
  "$@" >"$file.new"
  mv "$file.new" "$file"
}
portage() {
  "$ENGINE" run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD/secrets:/secrets" "$image" portage "$@"
}
password() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
database_url() { printf 'postgres://%s:%s@postgres:5432/portage' "$1" "$(cat "secrets/$2")"; }

keep portage-keys portage keys new
keep postgres-password password
keep database-password password
keep database-url database_url portage database-password
keep runtime-database-password password
keep runtime-database-url database_url portage_app runtime-database-password
keep restate-identity-keys portage restate key /secrets/restate-identity.pem
# for these, empty stands for none
optional='operator-oidc-client-secret smtp-url stripe-secret-key stripe-webhook-secret s3-access-key-id s3-secret-access-key'
for name in $optional; do
  keep "$name" true
done
chmod 444 secrets/*
# what people fill in themselves
for name in $optional; do
  chmod 644 "secrets/$name"
done
