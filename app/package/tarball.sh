#!/usr/bin/env bash
# tarball.sh BUILD FILE: the program of a build folder as FILE (.tar.gz), with the libraries (bundle.sh) and
# fonts that it needs. It runs wherever it is unpacked.
set -euo pipefail
build=$1 file=$(realpath -m "$2") here=$(dirname "$(realpath "$0")")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
name=$(basename "$file" .tar.gz)
to=$root/$name

cmake --install "$build" --prefix "$to" --strip >/dev/null
"$here/bundle.sh" "$to/bin/slipscope" "$to/lib"
"$here/fonts.sh" "$to/share/slipscope/fonts"
"$here/licenses.sh" "$to/lib" "$to/share/doc/slipscope/licenses"
install -m 644 "$here/tarball.txt" "$to/README.md"

mkdir -p "$(dirname "$file")"
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner -czf "$file" "$name"
