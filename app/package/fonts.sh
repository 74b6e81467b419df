#!/usr/bin/env bash
# fonts.sh FOLDER: copies the fonts that the window and pictures are drawn with to FOLDER, as Debian's
# packages have them.
set -euo pipefail
fonts=/usr/share/fonts
for part in opentype/inter/Inter-{Regular,Medium,SemiBold}.otf \
  truetype/jetbrains-mono/JetBrainsMono-{Regular,Medium}.ttf \
  truetype/fork-awesome/forkawesome-webfont.ttf; do
  install -D -m 644 "$fonts/$part" "$1/$part"
done
