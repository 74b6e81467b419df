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

# ship SUITE: the Debian package, built beside what first_command built, installed in a bare system,
# used there as root and as a user whose home cannot be written, and removed without a rest.
ship() {
  local suite=$1 build=$slip_chroots/$1-first root=$slip_chroots/$1-ship before=$failed package
  ship_log=$(mktemp)
  first_command "$suite"
  [ "$failed" -eq "$before" ] && [ -d "$build" ] || return
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
  check_ship "the package does not install" in_chroot "$root" sh -c '
    find / -xdev -not -path "/var/*" -not -path "/tmp/*" | sort >/var/before
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ./slipscope.deb'
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
  check_ship "it has no manual page" in_chroot "$root" sh -c 'zcat /usr/share/man/man1/slipscope.1.gz | grep -q "SH COMMANDS"'
  check_ship "it does not install over itself" in_chroot "$root" \
    sh -c 'apt-get install -y -qq --reinstall --no-install-recommends ./slipscope.deb'
  check_ship "it leaves something behind" in_chroot "$root" sh -c '
    apt-get purge -y -qq slipscope >/dev/null && ! find / -xdev -name "*slipscope*" -not -path "/slipscope*" \
      -not -path "/var/log/*" -not -path "/proc/*" -not -path "/etc/slipscope-*" -not -path "/etc/apt/*" | grep .'
  mkdir -p build/ship
  cp "$package" "build/ship/slipscope-$suite.deb"
  cp "$root/tmp/window.png" "build/ship/$suite.png" 2>/dev/null
  rm -f "$ship_log"
  [ "$failed" -ne "$before" ] || rm -rf "$root"
}
