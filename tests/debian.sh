# Sourced by tests/run: builds and tests this tree in another release of Debian, in a chroot that is
# made by debootstrap from this machine's own mirror, kept in slip_chroots and used again.

slip_chroots=${SLIP_CHROOTS:-/var/cache/slipscope}

# The archive that apt fetches Debian itself from, e.g. http://deb.debian.org/debian/
debian_mirror() {
  local list=(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Identifier: Packages')
  [ -n "$("${list[@]}" 2>/dev/null)" ] || apt-get update -qq >/dev/null 2>&1
  "${list[@]}" 2>/dev/null | sed -n 's/^Debian|//p' | head -n 1
}

# What apt was told here about fetching (proxies, dates of a frozen mirror) holds in the chroot too.
debian_apt_settings() { apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries)'; }

# The proxy for programs other than apt; nothing where there is none.
debian_proxy() { apt-config shell proxy Acquire::http::Proxy | sed -n "s/^proxy='\(.*\)'$/\1/p"; }

# make_chroot SUITE FOLDER: 1 with a sentence where it cannot be made.
make_chroot() {
  local suite=$1 root=$2 mirror log proxy
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

# test_in_chroot ROOT COMMAND...: /proc is mounted for this one command only.
test_in_chroot() {
  local root=$1
  shift
  unshare --mount --propagation private bash -c '
    mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" &&
      { cmp -s /etc/resolv.conf "$0/etc/resolv.conf" || cp /etc/resolv.conf "$0/etc/resolv.conf"; } &&
      exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        chroot "$0" sh -c "cd /slipscope && exec \"\$@\"" sh "$@"' "$root" "$@"
}

# test_debian SUITE: adds to passed, failed and skipped.
test_debian() {
  local root=$slip_chroots/$1 log
  if ! make_chroot "$1" "$root"; then
    skipped=$((skipped + 1))
    return
  fi
  slip_say "tests: Debian $1"
  log=$(mktemp)
  if ! copy_tree "$root"; then
    slip_say "tests: could not copy the tree to $root"
    failed=$((failed + 1))
    return
  fi
  test_in_chroot "$root" tests/run --release | tee "$log"
  if tail -n 1 "$log" | grep -qE '^[0-9]+ passed, [0-9]+ failed'; then
    passed=$((passed + $(tail -n 1 "$log" | grep -oE '^[0-9]+')))
    failed=$((failed + $(tail -n 1 "$log" | grep -oE '[0-9]+ failed' | grep -oE '[0-9]+')))
  else
    slip_say "tests: the tests in Debian $1 did not end"
    failed=$((failed + 1))
  fi
  rm -f "$log"
}
