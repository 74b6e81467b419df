# Sourced by tests/run: this program in a Debian of its own, in a chroot that is made by debootstrap
# from the mirror that apt uses here. Three ways to use one:
#   first_command SUITE  as .ci/run does: packages of app/run, configure, build, a second of a scene
#   fresh SUITE          as a newcomer: the committed tree, app/run, then tests/run --release
#   test_debian SUITE    this tree as it is, beside what was built there before

slip_chroots=${SLIP_CHROOTS:-/var/cache/slipscope}

# The archive that apt fetches Debian itself from.
debian_mirror() {
  local list=(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Identifier: Packages')
  [ -n "$("${list[@]}" 2>/dev/null)" ] || apt-get update -qq >/dev/null 2>&1
  "${list[@]}" 2>/dev/null | sed -n 's/^Debian|//p' | head -n 1
}

# What apt was told here about fetching (proxies, dates of a frozen mirror) holds in the chroot too.
debian_apt_settings() { apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries)'; }

# The proxy for programs other than apt; nothing where there is none.
debian_proxy() { apt-config shell proxy Acquire::http::Proxy | sed -n "s/^proxy='\(.*\)'$/\1/p"; }

# make_bare SUITE: $slip_chroots/SUITE-bare, in which nothing runs; 1 with a sentence where it cannot be
# made.
make_bare() {
  local suite=$1 root=$slip_chroots/$1-bare mirror log proxy
  if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null; then
    slip_say "tests: skipped: a Debian $suite beside this system needs root and its own mounts"
    return 1
  fi
  [ -e "$root/etc/slipscope-ready" ] && return 0
  if ! slip_need debootstrap debian-archive-keyring; then
    slip_say "tests: skipped: no debootstrap to make a Debian $suite with"
    return 1
  fi
  mirror=$(debian_mirror)
  if [ -z "$mirror" ]; then
    slip_say "tests: skipped: apt names no mirror of Debian here to make a Debian $suite from"
    return 1
  fi
  slip_say "tests: making a Debian $suite from $mirror in $root"
  log=$(mktemp)
  rm -rf "$root"
  mkdir -p "$root"
  proxy=$(debian_proxy)
  if ! ${proxy:+env "http_proxy=$proxy" "https_proxy=$proxy"} debootstrap --variant=minbase \
    --include=ca-certificates "$suite" "$root" "$mirror" >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    slip_say "tests: skipped: debootstrap could not make a Debian $suite; the whole log is in $log"
    return 1
  fi
  rm -f "$log"
  debian_apt_settings >"$root/etc/apt/apt.conf.d/90slipscope"
  touch "$root/etc/slipscope-ready"
}

# make_chroot SUITE FOLDER: a copy of the bare system.
make_chroot() {
  make_bare "$1" || return 1
  rm -rf "$2"
  cp -a --reflink=auto "$slip_chroots/$1-bare" "$2"
}

# copy_tree ROOT: this checkout to ROOT/slipscope, beside what was built there. A file keeps its time
# when it is the same as in the last copy, and is new otherwise, so that what changed is built again.
# Not a bind mount, which an rm -rf would follow.
copy_tree() {
  local to=$1/slipscope new=$1/slipscope.new file
  rm -rf "$new"
  mkdir -p "$to" "$new" &&
    git ls-files -z --cached --others --exclude-standard |
    tar --null --ignore-failed-read -T - -c 2>/dev/null | tar -x -m -C "$new" || return 1
  while IFS= read -r -d '' file; do
    cmp -s "$new/$file" "$to/$file" && touch -r "$to/$file" "$new/$file"
  done < <(cd "$new" && find . -type f -print0)
  [ ! -e "$to/build" ] || mv "$to/build" "$new/build"
  rm -rf "$to" && mv "$new" "$to"
}

# copy_commit ROOT: the committed tree alone to ROOT/slipscope, with nothing built.
copy_commit() {
  rm -rf "$1/slipscope"
  mkdir "$1/slipscope" && git archive HEAD | tar -x -C "$1/slipscope"
}

# in_chroot ROOT COMMAND...: with /proc, for this one command only. chroot_cache=FOLDER is ccache's there, too.
in_chroot() {
  local root=$1
  shift
  chroot_cache=${chroot_cache:-} unshare --mount --propagation private bash -c '
    mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" &&
      { cmp -s /etc/resolv.conf "$0/etc/resolv.conf" || cp /etc/resolv.conf "$0/etc/resolv.conf"; } &&
      if [ -n "$chroot_cache" ]; then
        mkdir -p "$0/root/.cache/ccache" "$chroot_cache" &&
          mount --bind "$chroot_cache" "$0/root/.cache/ccache"
      fi &&
      exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        chroot "$0" sh -c "cd /slipscope && exec \"\$@\"" sh "$@"' "$root" "$@"
}

# tests_in_chroot ROOT SUITE: tests/run --release there; adds to passed, failed and skipped.
tests_in_chroot() {
  local log last
  log=$(mktemp)
  in_chroot "$1" env SLIPSCOPE_ALLOW_SKIP="${SLIPSCOPE_ALLOW_SKIP:-}" tests/run --release | tee "$log"
  last=$(tail -n 1 "$log")
  if grep -qE '^[0-9]+ passed, [0-9]+ failed' <<<"$last"; then
    passed=$((passed + $(grep -oE '^[0-9]+' <<<"$last")))
    failed=$((failed + $(grep -oE '[0-9]+ failed' <<<"$last" | grep -oE '[0-9]+')))
    skipped=$((skipped + $(grep -oE '[0-9]+ skipped' <<<"$last" | grep -oE '[0-9]+' || echo 0)))
  else
    slip_say "tests: the tests in Debian $2 did not end"
    failed=$((failed + 1))
  fi
  rm -f "$log"
}

# test_debian SUITE: adds to passed, failed and skipped.
test_debian() {
  local root=$slip_chroots/$1
  if ! { [ -e "$root/etc/slipscope-ready" ] || make_chroot "$1" "$root"; }; then
    skipped=$((skipped + 1))
    return
  fi
  slip_say "tests: Debian $1"
  if ! copy_tree "$root"; then
    slip_say "tests: could not copy the tree to $root"
    failed=$((failed + 1))
    return
  fi
  tests_in_chroot "$root" "$1"
}

# first_command SUITE: the chroot is kept, with the packages of app/run and no others; what was compiled
# elsewhere is used. Adds to passed, failed and skipped.
first_command() {
  local suite=$1 root=$slip_chroots/$1-first packages rows
  packages=$(printf '%s\n' "${slip_build_packages[@]}" "${slip_run_packages[@]}" | sort)
  if [ "$packages" != "$(cat "$root/etc/slipscope-packages" 2>/dev/null)" ]; then
    if ! make_chroot "$suite" "$root"; then
      skipped=$((skipped + 1))
      return
    fi
    printf '%s\n' "$packages" >"$root/etc/slipscope-packages"
  fi
  slip_say "tests: the first command on a bare Debian $suite"
  rm -rf "$root/tmp/first"
  local chroot_cache
  chroot_cache=$(ccache -k cache_dir)
  copy_commit "$root" && in_chroot "$root" app/run run conveyor -t 1 -o /tmp/first
  rows=$(wc -l 2>/dev/null <"$root/tmp/first/steps.csv" || echo 0)
  if [ "$rows" -gt 100 ]; then
    passed=$((passed + 1))
  else
    slip_say "tests: app/run on a bare Debian $suite wrote $rows rows of steps.csv"
    failed=$((failed + 1))
  fi
}

# fresh SUITE: everything from nothing, and nothing shared. Writes the commit that passed to build/fresh.
fresh() {
  local suite=$1 root=$slip_chroots/$1-fresh log began kind path before=$failed commit
  if ! make_chroot "$suite" "$root"; then
    skipped=$((skipped + 1))
    return
  fi
  if [ -n "$(git status --porcelain)" ]; then
    slip_say "tests: what is not committed is not tested in the fresh Debian $suite"
  fi
  log=$(mktemp)
  began=$SECONDS
  slip_say "tests: app/run in a fresh Debian $suite"
  commit=$(git rev-parse HEAD)
  copy_commit "$root" && in_chroot "$root" app/run | tee "$log"
  for kind in video plots data; do
    path=$root$(sed -n "s/^$kind  *//p" "$log")
    [ "$kind" = data ] && path=$path/steps.csv
    if [ -f "$path" ] && [ -s "$path" ]; then
      passed=$((passed + 1))
    else
      slip_say "tests: app/run in a fresh Debian $suite left no $kind"
      failed=$((failed + 1))
    fi
  done
  rm -f "$log"
  slip_say "tests: first film in a fresh Debian $suite after $((SECONDS - began)) s"
  tests_in_chroot "$root" "$suite"
  if [ "$failed" -eq "$before" ]; then
    mkdir -p build
    { grep -v "^$suite " build/fresh 2>/dev/null; printf '%s %s\n' "$suite" "$commit"; } >build/fresh.new
    mv build/fresh.new build/fresh
    rm -rf "$root"
  fi
}
