# Sourced by tests/run: builds the fuzz targets and runs each for a while. What they learn is kept in
# build/fuzz/corpus, so the next run goes on from there; what they find in build/fuzz/found.

# What each starts from, beside tests/fuzz/corpus/NAME; and the longest input, so that runs are short.
declare -A fuzz_start=([scene]=scenes)
declare -A fuzz_length=([scene]=6000 [mesh]=2000 [cloud]=1500 [problem]=9000 [fclib]=4000 [text]=120 [step]=700 [urdf]=3000 [mjcf]=3000 [npz]=4000)

# fuzz SECONDS [NAME...]: every target, or those named. Each counts as a test.
fuzz() {
  local seconds=$1 name log runs option
  shift
  for name in "$@"; do
    [ -n "${fuzz_length[$name]:-}" ] && continue
    slip_say "tests: no fuzz target '$name'; there are scene mesh cloud problem fclib text step urdf mjcf npz"
    exit 2
  done
  if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    slip_say "tests: --fuzz needs a whole number of seconds (found '$seconds')"
    exit 2
  fi
  slip_need clang libclang-rt-dev || return 1
  # a few seconds are not worth a long build
  if [ "$seconds" -lt 5 ]; then
    build_or_stop fuzz all -DSLIP_FUZZ_QUICK=ON
  else
    build_or_stop fuzz all -DSLIP_FUZZ_QUICK=OFF
  fi
  log=$(mktemp)
  for name in ${*:-scene mesh cloud problem fclib text step urdf mjcf npz}; do
    mkdir -p "build/fuzz/corpus/$name" "build/fuzz/found"
    option=()
    # the statistics of rare features take a fifth of the time of numerics
    [ $name = step ] && option+=(-entropic=0)
    # whether a few seconds pass must not be chance
    [ "$seconds" -lt 5 ] && option+=(-seed=1)
    [ -e "tests/fuzz/$name.dict" ] && option+=("-dict=tests/fuzz/$name.dict")
    slip_say "tests: fuzzing $name for $seconds s"
    "build/fuzz/${name}_fuzz" -max_total_time="$seconds" -max_len="${fuzz_length[$name]}" \
      -timeout=100 -rss_limit_mb=2500 -malloc_limit_mb=1000 -print_final_stats=1 -reload=0 \
      -artifact_prefix="build/fuzz/found/$name-" "${option[@]}" "build/fuzz/corpus/$name" \
      "tests/fuzz/corpus/$name" ${fuzz_start[$name]:-} >"$log" 2>&1
    if [ $? -eq 0 ]; then
      passed=$((passed + 1))
    else
      grep -E 'does not hold|ERROR|SUMMARY|runtime error|Test unit written' "$log" >&2
      failed=$((failed + 1))
    fi
    runs=$(grep -oE 'number_of_executed_units: [0-9]+' "$log" | grep -oE '[0-9]+')
    slip_say "tests: fuzzed $name: ${runs:-no} executions"
  done
  rm -f "$log"
}
