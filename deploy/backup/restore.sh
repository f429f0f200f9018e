#!/bin/sh
# Restores PostgreSQL into an empty folder. Run it as the user postgres, with the server of that folder stopped:
#   restore.sh FOLDER                            all that was archived
#   restore.sh FOLDER '2026-11-18 03:04:05+00'   the state of that moment
#   restore.sh FOLDER '2026-11-18 03:04:05+00' 1 the same, on timeline 1
# Start the server next; it replays the WAL by itself. await-restored.sh says when it is done, and what it reached.
set -eu
stanza=${STANZA:-portage}
folder=${1:?"restore.sh FOLDER [MOMENT [TIMELINE]]"}
moment=${2:-}
# Without one PostgreSQL follows the newest, which left the one before at the moment of an earlier restore.
timeline=${3:-}
if [ -d "$folder" ] && [ -n "$(ls -A "$folder")" ]; then
  echo "$folder is not empty. Move it away, or name another folder: what is in it may be all that is left." >&2
  exit 1
fi
case $timeline in
  *[!0-9]*)
    echo "Name the timeline by its number, such as 1." >&2
    exit 1
    ;;
esac
mkdir -p -m 700 "$folder"
# PostgreSQL fetches WAL with the same options; of the environment it would know nothing
restore() {
  pgbackrest ${PGBACKREST_CONFIG:+--config="$PGBACKREST_CONFIG"} --stanza="$stanza" --pg1-path="$folder" "$@" restore
}
if [ -z "$moment" ]; then
  restore
else
  case $moment in
    # with the colon of its time: a date alone ends as a time zone does
    *:*[+-][0-9][0-9] | *:*[+-][0-9][0-9]:[0-9][0-9]) ;;
    *)
      echo "Name the time and its time zone, such as '2026-11-18 03:04:05+00': PostgreSQL would take its own zone." >&2
      exit 1
      ;;
  esac
  restore --type=time --target="$moment" ${timeline:+--target-timeline="$timeline"} --target-action=promote
fi
echo "Restored into $folder. Start its server, then run await-restored.sh."
