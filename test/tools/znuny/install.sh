#!/bin/sh
# Unpacks Znuny (the successor of OTRS) from Debian's package and installs what it needs, once. Needs root. The package
# itself is not installed: it would set up a database, cron jobs and Apache, and each instance of the tests brings its own
# database, settings and web server.
set -eu
home=/opt/portage-tests/znuny
packages="libcgi-emulate-psgi-perl libplack-perl starlet librest-client-perl libdbd-pg-perl postgresql"
missing=""
for package in $packages; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || [ ! -e "$home/version" ] || exit 0

# Packages start their services when they are installed, unless a policy says no.
work=$(mktemp -d)
policy=/usr/sbin/policy-rc.d
if [ -e "$policy" ]; then
  trap 'rm -rf "$work"' EXIT
else
  trap 'rm -rf "$work" "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
clusters=/etc/postgresql-common/createcluster.d
mkdir -p "$clusters"
[ -e "$clusters/no-main.conf" ] || echo 'create_main_cluster = false' >"$clusters/no-main.conf"

export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt-get update -qq
# It is in the component non-free, which a machine need not have: taken from the mirror that main comes from.
if ! apt-cache show otrs2 >/dev/null 2>&1; then
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v codename="$codename" '$1 == codename && $2 == "main" { print $3; exit }')
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: non-free\nSigned-By: %s\n' \
    "$mirror" "$codename" /usr/share/keyrings/debian-archive-keyring.gpg \
    >/etc/apt/sources.list.d/portage-tests-non-free.sources
  apt-get update -qq
fi
chmod 755 "$work" # apt downloads as a user of its own
(cd "$work" && apt-get download -qq otrs2 2>/dev/null)
package=$(echo "$work"/otrs2_*.deb)

# All that its Perl uses; neither Apache nor the tools and fonts of its own set-up.
needs=$(dpkg-deb --field "$package" Depends | tr ',' '\n' |
  grep -vE 'apache|dbconfig|debconf|fonts|ucf|adduser' | tr '\n' ',' | sed 's/,$//')
apt-get satisfy -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 \
  -o Dpkg::Options::=--force-confold "$needs, $(echo $packages | sed 's/ /, /g')" >/dev/null

# One folder as Znuny lays it out, instead of links to /etc and /var.
dpkg-deb --extract "$package" "$work/unpacked"
mv "$work/unpacked/usr/share/otrs" "$work/home"
cd "$work/home"
rm var Kernel/Config.pm Kernel/Config/GenericAgent.pm Kernel/Config/Files Kernel/Config/Backups
mv "$work/unpacked/var/lib/otrs/Config/Files" Kernel/Config/
mkdir Kernel/Config/Backups
mv "$work/unpacked/var/lib/otrs" var
rm var/run var/spool
mkdir var/run var/spool
dpkg-deb --field "$package" Version >version
mkdir -p "$(dirname "$home")"
rm -rf "$home"
mv "$work/home" "$home"
