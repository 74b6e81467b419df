# Instructions that a step takes, counted by valgrind: a slow-down that no clock on a busy machine
# shows. Sourced by tests/run.
counts_file=tests/golden/instructions.txt
counted_runs=(
  'conveyor 200 1000'
  'clutter 20 60 -p time_step=10ms'
  'quadruped-stand 50 150'
  'bunny-grasp 20 80'
)

# instructions FILE SCENE STEPS [ARGS...]: of a whole run
instructions() {
  on_sse2 valgrind --tool=callgrind --callgrind-out-file=/dev/null build/release/slipscope \
    run "$2" --steps "$3" -j 1 --progress none "${@:4}" 2>&1 | sed -n 's/.*Collected : //p' >"$1"
}

# "SCENE INSTRUCTIONS" of every run, a step of it: what start and end take is not in the difference
count_steps() {
  local folder run words
  folder=$(mktemp -d)
  for run in "${counted_runs[@]}"; do
    read -ra words <<<"$run"
    for steps in "${words[1]}" "${words[2]}"; do
      while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
      instructions "$folder/${words[0]}.$steps" "${words[0]}" "$steps" "${words[@]:3}" &
    done
  done
  wait
  for run in "${counted_runs[@]}"; do
    read -ra words <<<"$run"
    local few many
    few=$(<"$folder/${words[0]}.${words[1]}") many=$(<"$folder/${words[0]}.${words[2]}")
    printf '%s %s\n' "${words[0]}" $(((${many:-0} - ${few:-0}) / (words[2] - words[1])))
  done
  rm -r "$folder"
}

# Another compiler makes other code: its numbers say nothing about ours.
counts_compiler() { printf 'g++ %s' "$(g++ -dumpfullversion)"; }

write_counts() {
  slip_need "${slip_count_packages[@]}" || return
  { printf '# instructions a step, %s\n' "$(counts_compiler)" && count_steps; } >"$counts_file"
  cat "$counts_file"
}

check_counts() {
  local scene now known
  if [ "$(head -n 1 "$counts_file")" != "# instructions a step, $(counts_compiler)" ]; then
    slip_say "tests: instructions a step are known for another compiler than $(counts_compiler)"
    return
  fi
  slip_need "${slip_count_packages[@]}" || { failed=$((failed + 1)) && return; }
  slip_say "tests: instructions a step"
  while read -r scene now; do
    known=$(sed -n "s/^$scene //p" "$counts_file")
    if [ -n "$known" ] && [ "$now" -gt 0 ] && [ $((100 * now)) -le $((103 * known)) ]; then
      passed=$((passed + 1))
    else
      slip_say "tests: a step of $scene takes $now instructions, not ${known:-known}; tests/run --counts write keeps that"
      failed=$((failed + 1))
    fi
  done < <(count_steps)
}
