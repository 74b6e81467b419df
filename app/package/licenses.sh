#!/usr/bin/env bash
# licenses.sh LIBRARIES FOLDER: whose work the fonts (fonts.sh) and the libraries of that folder (bundle.sh) are,
# a file each.
set -euo pipefail
for package in fonts-inter fonts-jetbrains-mono fonts-fork-awesome \
  $(for so in "$1"/*; do dpkg -S "*/$(basename "$so")" 2>/dev/null | cut -d: -f1; done | sort -u); do
  [ -e "/usr/share/doc/$package/copyright" ] || continue
  install -D -m 644 "/usr/share/doc/$package/copyright" "$2/$package"
done
