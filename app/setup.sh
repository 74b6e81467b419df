# Sourced by app/run and tests/run: installs missing Debian packages by name, configures, builds.
# Quick and silent when there is nothing to do.

slip_say() { printf '%s\n' "$*" >&2; }

# slip_need PACKAGE...: installs those that are missing, as root or through sudo.
slip_need() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null; then
    slip_say "slipscope: needs these Debian packages: ${missing[*]}"
    return 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      slip_say "slipscope: run as root, or install by hand: apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  slip_say "slipscope: installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -qq &&
         DEBIAN_FRONTEND=noninteractive "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    slip_say "slipscope: apt-get could not install them; the whole log is in $log"
    return 1
  fi
  rm -f "$log"
}

# slip_wish PACKAGE...: likewise, of those that apt has; never fails.
slip_wish() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed && continue
    apt-cache show "$package" >/dev/null 2>&1 || continue
    slip_need "$package" || slip_say "slipscope: goes on without $package"
  done
  return 0
}

slip_build_packages=(
  g++ cmake ninja-build pkg-config ccache
  libimgui-dev libglfw3-dev python3-glad libeigen3-dev libccd-dev libtinyobjloader-dev
  libassimp-dev libhdf5-dev
  libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libfmt-dev libstb-dev
  libtinyxml2-dev zlib1g-dev libnlopt-dev
  libgl-dev libopengl-dev libegl-dev
)
slip_run_packages=(
  libgl1 libegl1 libegl-mesa0 libgl1-mesa-dri
  fonts-inter fonts-jetbrains-mono fonts-fork-awesome ffmpeg
)
# engines that run as methods of ours
slip_engine_packages=(libmujoco-dev libode-dev)
slip_test_packages=(libgtest-dev xvfb xauth xdotool clang-format libmujoco-dev libode-dev)
slip_python_packages=(python3-dev pybind11-dev python3-numpy python3-matplotlib python3-pandas)
slip_count_packages=(valgrind)
slip_recipe_packages=(parallel slurm-wlm)
slip_peer_packages=(
  libmujoco-dev libbullet-dev libode-dev libdart-dev libdart-collision-bullet-dev
  libdart-external-ikfast-dev libdart-external-odelcpsolver-dev libqhull-dev
)

# slip_configured PRESET [-DNAME=VALUE...]: whether the build folder is, with these values
slip_configured() {
  local folder=build/$1 option name
  shift
  [ -f "$folder/build.ninja" ] || return 1
  for option in "$@"; do
    name=${option#-D}
    grep -qxE "${name%%=*}:[A-Z]+=${name#*=}" "$folder/CMakeCache.txt" || return 1
  done
}

# slip_build PRESET TARGETS [-DNAME=VALUE...]: targets in one word, between spaces
slip_build() {
  local preset=$1 log
  local -a targets
  read -ra targets <<<"$2"
  shift 2
  log=$(mktemp)
  if ! slip_configured "$preset" "$@"; then
    slip_say "slipscope: configuring $preset"
    if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
      cat "$log" >&2
      return 1
    fi
  fi
  [ -e "build/$preset/.ninja_log" ] || slip_say "slipscope: building $preset, which takes a few minutes the first time"
  if ! cmake --build "build/$preset" --target "${targets[@]}" >"$log" 2>&1; then
    grep -E -A 12 'error|FAILED|warning' "$log" | head -n 80 >&2
    slip_say "slipscope: the build failed; the whole log is in $log"
    return 1
  fi
  rm -f "$log"
}
