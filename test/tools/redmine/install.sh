#!/bin/sh
# Installs Redmine and what it runs on from Debian's packages, where it is missing. Needs root. Starts nothing.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
packages="redmine redmine-pgsql postgresql puma"

missing=""
for package in $packages; do
  case "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)" in
    installed) ;;
    *) missing="$missing $package" ;;
  esac
done

if [ -n "$missing" ]; then
  # Neither a database cluster nor an instance of the packages' own: each test instance brings both.
  install -d /etc/postgresql-common/createcluster.d
  echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.d/no-main-cluster.conf
  printf 'redmine redmine/instances/default/%s boolean false\n' dbconfig-install dbconfig-upgrade |
    debconf-set-selections
  # No service starts while packages are set up; what was there before is left as it was.
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' > "$policy"
    chmod 755 "$policy"
    trap 'rm -f "$policy"' EXIT
  fi
  apt-get -qq update
  # shellcheck disable=SC2086 -- a list of names
  apt-get -qq install --yes --no-install-recommends -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Options::=--force-confold $missing >/dev/null
fi

# Debian's Redmine is run by passenger; with puma in its bundle it runs by itself.
cd /usr/share/redmine
grep -qs puma Gemfile.local || echo "gem 'puma', require: false" >> Gemfile.local
lock=/var/lib/redmine/Gemfile.lock
if ! grep -qs '^    pg (' "$lock" || ! grep -qs '^    puma (' "$lock"; then
  bundle install --local --quiet
fi
chown www-data:www-data "$lock"
