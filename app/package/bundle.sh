#!/usr/bin/env bash
# bundle.sh PROGRAM FOLDER: copies the libraries that a program or module loads to FOLDER, where it finds
# them wherever both are moved to. Left out is what belongs to a system: the C and C++ libraries, OpenGL,
# what talks to a screen, Python.
set -euo pipefail
program=$1 folder=$2
systems='^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+|libGL|libEGL|libGLX|libOpenGL|libGLdispatch|libX.*|libxcb.*|libwayland.*|libdrm|libgbm|libpython.*)(-[-.0-9a-z]*)?\.so'
mkdir -p "$folder"
# all that are loaded, those of libraries too
ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | while read -r so path; do
  grep -qE "$systems" <<<"$so" || cp -L "$path" "$folder/$so"
done
patchelf --set-rpath "\$ORIGIN/$(realpath --relative-to="$(dirname "$program")" "$folder")" "$program"
for so in "$folder"/*.so*; do patchelf --set-rpath '$ORIGIN' "$so"; done
