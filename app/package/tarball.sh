#!/usr/bin/env bash
# tarball.sh BUILD FILE: the program of a build folder as FILE (.tar.gz), with the libraries and fonts that
# it needs. It runs wherever it is unpacked. Not in it: what belongs to a system (the C and C++ libraries,
# OpenGL, what talks to a screen).
set -euo pipefail
build=$1 file=$(realpath -m "$2")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
name=$(basename "$file" .tar.gz)
to=$root/$name

cmake --install "$build" --prefix "$to" --strip >/dev/null

systems='^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+|libGL|libEGL|libGLX|libOpenGL|libGLdispatch|libX.*|libxcb.*|libwayland.*|libdrm|libgbm)[-.0-9a-z]*\.so'
mkdir -p "$to/lib"
# all that are loaded, those of libraries too
ldd "$to/bin/slipscope" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | while read -r so path; do
  grep -qE "$systems" <<<"$so" || cp -L "$path" "$to/lib/$so"
done
patchelf --set-rpath '$ORIGIN/../lib' "$to/bin/slipscope"
for so in "$to"/lib/*.so*; do patchelf --set-rpath '$ORIGIN' "$so"; done

fonts=/usr/share/fonts
for part in opentype/inter/Inter-{Regular,Medium,SemiBold}.otf \
  truetype/jetbrains-mono/JetBrainsMono-{Regular,Medium}.ttf \
  truetype/fork-awesome/forkawesome-webfont.ttf; do
  install -D -m 644 "$fonts/$part" "$to/share/slipscope/fonts/$part"
done
# whose work each of them is
for package in fonts-inter fonts-jetbrains-mono fonts-fork-awesome \
  $(for so in "$to"/lib/*; do dpkg -S "*/$(basename "$so")" 2>/dev/null | cut -d: -f1; done | sort -u); do
  [ -e "/usr/share/doc/$package/copyright" ] || continue
  install -D -m 644 "/usr/share/doc/$package/copyright" "$to/share/doc/slipscope/licenses/$package"
done

mkdir -p "$(dirname "$file")"
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner -czf "$file" "$name"
