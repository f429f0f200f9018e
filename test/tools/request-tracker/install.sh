#!/bin/sh
# Installs Request Tracker 5 from Debian's packages, once. Needs root. Starts no service and keeps no configuration:
# each instance of the tests brings its own database and settings.
set -eu
packages="request-tracker5 rt5-standalone rt5-db-postgresql postgresql"
missing=""
for package in $packages; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

# Packages start their services when they are installed, unless a policy says no.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
clusters=/etc/postgresql-common/createcluster.d
mkdir -p "$clusters"
[ -e "$clusters/no-main.conf" ] || echo 'create_main_cluster = false' >"$clusters/no-main.conf"

export DEBIAN_FRONTEND=noninteractive
printf 'request-tracker5 request-tracker5/%s\n' \
  'dbconfig-install boolean false' \
  'dbconfig-upgrade boolean false' \
  'install-cronjobs boolean false' \
  'rtname string unused' \
  'organization string unused.invalid' |
  debconf-set-selections 2>/dev/null || true
apt-get update -qq
# A mailer is a dependency: this one is a single program without a daemon, and RT's configuration names another.
mailer=""
command -v sendmail >/dev/null 2>&1 || mailer="msmtp-mta"
# shellcheck disable=SC2086 # lists of words
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 $missing $mailer >/dev/null
