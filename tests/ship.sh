# Sourced by tests/run after tests/debian.sh: what people get is made and proved where nothing else is.

# check_ship WHAT COMMAND...: one test, said when it fails.
check_ship() {
  local what=$1
  shift
  if "$@" >"$ship_log" 2>&1; then
    passed=$((passed + 1))
  else
    tail -n 10 "$ship_log" >&2
    slip_say "tests: $what"
    failed=$((failed + 1))
  fi
}

# build_first SUITE: first_command, once in a run.
build_first() {
  local before=$failed
  [[ " ${ship_built:-} " != *" $1 "* ]] || return 0
  first_command "$1"
  [ "$failed" -eq "$before" ] && [ -d "$slip_chroots/$1-first" ] || return 1
  ship_built+=" $1"
}

# ship_tarball: what was built on the oldest Debian, unpacked and used on it and on the next one, where
# nothing but a system's OpenGL is installed. What it asks of other systems is said by names: versions of
# the C and C++ libraries, and what it does not bring.
ship_tarball() {
  local build=$slip_chroots/bookworm-first root name suite
  ship_log=$(mktemp)
  build_first bookworm || return
  name=slipscope-$(sed -n 's/^project(slipscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)-linux-$(uname -m)
  slip_say "tests: $name.tar.gz"
  mkdir -p build/ship
  check_ship "no archive was made" in_chroot "$build" bash -c '
    . app/setup.sh && slip_need patchelf && app/package/tarball.sh build/release "build/release/$1.tar.gz"' bash "$name"
  # Ubuntu 24.04 has glibc 2.39 and GLIBCXX_3.4.33
  check_ship "it asks for a newer C or C++ library than Debian 12 and Ubuntu 24.04 have" in_chroot "$build" bash -c '
    cd /tmp && rm -rf "$1" && tar -xzf "/slipscope/build/release/$1.tar.gz" && cd "$1" || exit 1
    newest() { objdump -T bin/slipscope lib/*.so* 2>/dev/null | grep -oE "$1_[0-9.]+" | sort -uV | tail -n 1; }
    glibc=$(newest GLIBC) cxx=$(newest GLIBCXX)
    echo "$glibc $cxx"; [ "$(printf "%s\n" "$glibc" GLIBC_2.36 | sort -V | tail -n 1)" = GLIBC_2.36 ] &&
      [ "$(printf "%s\n" "$cxx" GLIBCXX_3.4.30 | sort -V | tail -n 1)" = GLIBCXX_3.4.30 ]' bash "$name"
  check_ship "it needs a library that no system has by that name" in_chroot "$build" bash -c '
    cd "/tmp/$1" && for so in $(objdump -p bin/slipscope lib/*.so* | sed -n "s/^ *NEEDED *//p" | sort -u); do
      [ -e "lib/$so" ] || grep -qxE "lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+|EGL|GL|GLX|OpenGL|X11|Xext|xcb).so.[0-9]+|ld-linux-x86-64.so.2" <<<"$so" ||
        { echo "$so"; false; } || exit 1
    done' bash "$name"
  for suite in bookworm trixie; do
    root=$slip_chroots/$suite-ship
    make_chroot "$suite" "$root" || { failed=$((failed + 1)) && continue; }
    mkdir "$root/slipscope"
    tar -xzf "$build/slipscope/build/release/$name.tar.gz" -C "$root/slipscope" && mv "$root/slipscope/$name" "$root/slipscope/here"
    check_ship "$suite: no EGL" in_chroot "$root" sh -c '
      apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        libegl1 libegl-mesa0 libgl1-mesa-dri libstdc++6'
    check_ship "$suite: it does not say what is missing where libGL is not there" in_chroot "$root" sh -c '
      here/bin/slipscope doctor | grep "graphics *no:.*libGL" &&
        ! here/bin/slipscope render conveyor --time 0 -o /tmp/none.png 2>/tmp/none && grep libgl1 /tmp/none'
    check_ship "$suite: no OpenGL" in_chroot "$root" sh -c '
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libgl1'
    check_ship "$suite: what it computes is not what was built computes" bash -c '
      . app/setup.sh; . tests/debian.sh
      in_chroot "$1" here/bin/slipscope run conveyor -t 1 -o /tmp/out &&
        cmp "$1/tmp/out/bodies.csv" "$2/tmp/first/bodies.csv"' bash "$root" "$build"
    check_ship "$suite: it draws no picture" in_chroot "$root" \
      here/bin/slipscope render conveyor --time 1 --region window -o /tmp/window.png
    cp "$root/tmp/window.png" "build/ship/tarball-$suite.png" 2>/dev/null
    rm -rf "$root"
  done
  cp "$build/slipscope/build/release/$name.tar.gz" build/ship/
  rm -f "$ship_log"
}

# ship_wheel: the module of Python for the Python of Debian 12, installed by pip where nothing else is, not
# even OpenGL.
ship_wheel() {
  local build=$slip_chroots/bookworm-first root=$slip_chroots/bookworm-ship copy=$slip_chroots/bookworm-wheel
  ship_log=$(mktemp)
  build_first bookworm || return
  slip_say "tests: the wheel"
  mkdir -p build/ship
  # in a copy: the one where app/run is tried has none of Python's headers
  rm -rf "$copy" && cp -a --reflink=auto "$build" "$copy"
  check_ship "no wheel was made" in_chroot "$copy" bash -c '
    . app/setup.sh && slip_need python3-dev pybind11-dev python3-build python3-venv python3-setuptools python3-wheel patchelf &&
      cd app/python && rm -rf dist && SLIPSCOPE_BUNDLE=1 python3 -m build --wheel --no-isolation'
  make_chroot bookworm "$root" || { failed=$((failed + 1)) && return; }
  mkdir "$root/slipscope"
  cp "$copy"/slipscope/app/python/dist/*.whl "$root/slipscope/" 2>/dev/null
  rm -rf "$copy"
  check_ship "pip does not install it" in_chroot "$root" sh -c '
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      python3 python3-numpy python3-pip && pip install --no-index --break-system-packages ./*.whl'
  check_ship "what it computes is not what was built computes" bash -c '
    . app/setup.sh; . tests/debian.sh
    theirs=$(sed -n "s/.*\"state_hash\": \"\(.*\)\".*/\1/p" "$2/tmp/first/meta.json" | tr "\n" " ")
    ours=$(in_chroot "$1" python3 -c "
import slipscope
print(*(channel.state_hash for channel in slipscope.run(\"conveyor\", duration=1).channels))")
    echo "$ours / $theirs"; [ -n "$ours" ] && [ "$ours " = "$theirs" ]' bash "$root" "$build"
  check_ship "without OpenGL it says nothing of pictures" in_chroot "$root" python3 -c '
import slipscope
try:
    slipscope.picture("conveyor", time=0)
except slipscope.Error as error:
    assert "libgl1" in str(error), error
else:
    raise SystemExit("a picture without OpenGL")'
  check_ship "with OpenGL it draws no picture" in_chroot "$root" sh -c '
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      libgl1 libegl1 libegl-mesa0 libgl1-mesa-dri && python3 -c "
import numpy, slipscope
picture = slipscope.picture(\"conveyor\", time=1)
open(\"/tmp/window.ppm\", \"wb\").write(b\"P6 1600 900 255 \" + picture.tobytes())
assert picture.shape == (900, 1600, 3) and len(numpy.unique(picture.reshape(-1, 3), axis=0)) > 500"'
  cp "$root/tmp/window.ppm" build/ship/wheel.ppm 2>/dev/null
  check_ship "pip leaves something behind" in_chroot "$root" sh -c '
    pip uninstall -y --break-system-packages slipscope && ! python3 -c "import slipscope" 2>/dev/null'
  cp "$root"/slipscope/*.whl build/ship/ 2>/dev/null
  rm -rf "$root"
  rm -f "$ship_log"
}

# older_package PACKAGE OLDER: another one, as if made before it: a lower version, a scene that is no more
# and one that was different, a manual page and a type of files that said less.
older_package() {
  local root
  root=$(mktemp -d) || return 1
  dpkg-deb -R "$1" "$root" &&
    sed -i 's/^Version: .*/Version: 0.0.1/' "$root/DEBIAN/control" &&
    echo older | tee "$root/usr/share/slipscope/scenes/of-before.toml" >"$root/usr/share/slipscope/scenes/conveyor.toml" &&
    echo '.TH SLIPSCOPE 1 "" "0.0.1"' | gzip -9 -n >"$root/usr/share/man/man1/slipscope.1.gz" &&
    sed -i '/x-urdf/,/<\/mime-type>/d' "$root/usr/share/mime/packages/slipscope.xml" &&
    dpkg-deb --root-owner-group -b "$root" "$2" && rm -rf "$root"
}

# all_files: what a package could leave; what the linker and Mesa keep for themselves is theirs
all_files='find / -xdev \( -path /proc -o -path /var -o -path /tmp -o -path /slipscope -o -path /dev \) -prune -o -print |
  grep -vE "^/etc/(ld.so.cache|slipscope-)|^/root/.cache|/__pycache__" | sort'

# ship SUITE: the Debian package, built beside what first_command built, installed in a bare system over an
# older one, used there as root and as a user whose home cannot be written, and removed without a rest.
ship() {
  local suite=$1 build=$slip_chroots/$1-first root=$slip_chroots/$1-ship before=$failed package
  ship_log=$(mktemp)
  build_first "$suite" || return
  slip_say "tests: the package for Debian $suite"
  rm -f "$build"/slipscope/build/release/*.deb
  check_ship "cpack makes no package" in_chroot "$build" bash -c '
    . app/setup.sh && slip_need dpkg-dev lintian && cd build/release && cpack -G DEB'
  package=$(ls "$build"/slipscope/build/release/slipscope_*.deb 2>/dev/null | head -n 1)
  [ -n "$package" ] || return
  check_ship "lintian finds errors in $(basename "$package")" in_chroot "$build" \
    sh -c 'cd build/release && ! lintian --allow-root --no-tag-display-limit slipscope_*.deb | grep "^E:"'
  make_chroot "$suite" "$root" || { failed=$((failed + 1)) && return; }
  mkdir "$root/slipscope"
  cp "$package" "$root/slipscope/slipscope.deb"
  check_ship "no older package could be made" older_package "$package" "$root/slipscope/older.deb"
  # what keeps the list of file types, and what reads manual pages, are there before it
  check_ship "the older package does not install" in_chroot "$root" sh -c "
    apt-get update -qq && export DEBIAN_FRONTEND=noninteractive &&
      apt-get install -y -qq --no-install-recommends shared-mime-info man-db && { $all_files; } >/var/before &&
      mkdir -p /root/.config/slipscope && echo mine >/root/.config/slipscope/of-mine &&
      apt-get install -y -qq --no-install-recommends ./older.deb && slipscope --version"
  check_ship "the package does not install over an older one" in_chroot "$root" sh -c '
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ./slipscope.deb &&
      dpkg-query -W -f "\${Version}\n" slipscope && ! dpkg-query -W -f "\${Version}" slipscope | grep -qx 0.0.1'
  check_ship "something of the older one is left" in_chroot "$root" sh -c '
    [ ! -e /usr/share/slipscope/scenes/of-before.toml ] && ! grep -q older /usr/share/slipscope/scenes/conveyor.toml &&
      [ "$(cat /root/.config/slipscope/of-mine)" = mine ] && dpkg --verify slipscope && dpkg --audit'
  check_ship "its types of files are not known" in_chroot "$root" sh -c '
    grep "urdf" /usr/share/mime/globs2 && grep -q "application/x-slipscope-experiment" /usr/share/mime/types &&
      grep -q "application/x-urdf" /usr/share/applications/slipscope.desktop'
  check_ship "it does not find its scenes" in_chroot "$root" \
    sh -c 'slipscope doctor | grep "scenes .*/usr/share/slipscope"'
  check_ship "what it computes is not what was built computes" bash -c '
    . app/setup.sh; . tests/debian.sh
    in_chroot "$1" slipscope run conveyor -t 1 -o /tmp/out &&
      cmp "$1/tmp/out/bodies.csv" "$2/tmp/first/bodies.csv"' bash "$root" "$build"
  check_ship "it draws no picture" in_chroot "$root" \
    slipscope render conveyor --time 1 --region window -o /tmp/window.png
  check_ship "a user with a home that cannot be written cannot run it" in_chroot "$root" \
    setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/proc/nowhere \
    sh -c 'cd /tmp && slipscope run conveyor -t 0.1 -o /tmp/of-a-user'
  check_ship "such a user gets no picture and no answer" in_chroot "$root" \
    setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/proc/nowhere sh -c '
      cd /tmp && slipscope doctor && slipscope render conveyor --time 0.1 --size 320x200 --region view -o of-a-user.png'
  check_ship "its manual page lacks commands" in_chroot "$root" sh -c '
    page=$(zcat /usr/share/man/man1/slipscope.1.gz) &&
      for command in $(slipscope --help | sed -n "/^Subcommands:/,\$ s/^  \([a-z]*\) .*/\1/p"); do
        printf "%s\n" "$page" | grep -qx ".SS $command" || { echo "$command"; exit 1; }
      done; [ -n "$command" ]'
  check_ship "bash does not complete it" in_chroot "$root" bash -c '
    . /usr/share/bash-completion/completions/slipscope; compopt() { :; }
    COMP_WORDS=(slipscope dialect conveyor --to mujoco-); COMP_CWORD=4; _slipscope
    echo "${COMPREPLY[*]}"; [ "${COMPREPLY[*]}" = mujoco-pyramidal ]'
  check_ship "it does not install over itself" in_chroot "$root" \
    sh -c 'apt-get install -y -qq --reinstall --no-install-recommends ./slipscope.deb'
  check_ship "removing it leaves a program" in_chroot "$root" sh -c '
    apt-get remove -y -qq slipscope && ! command -v slipscope'
  check_ship "it leaves something behind" in_chroot "$root" sh -c "
    apt-get install -y -qq --no-install-recommends ./slipscope.deb && apt-get purge -y -qq --auto-remove slipscope && [ \"\$(cat /root/.config/slipscope/of-mine)\" = mine ] &&
      rm -r /root/.config && { $all_files; } >/var/after && ! diff /var/before /var/after | grep '^[<>]' &&
      ! find /var -name '*slipscope*' -not -path '/var/log/*' -not -path '/var/cache/apt/*' | grep . &&
      ! grep -q x-urdf /usr/share/mime/globs2"
  mkdir -p build/ship
  cp "$package" "build/ship/slipscope-$suite.deb"
  cp "$root/tmp/window.png" "build/ship/$suite.png" 2>/dev/null
  rm -f "$ship_log"
  [ "$failed" -ne "$before" ] || rm -rf "$root"
}
