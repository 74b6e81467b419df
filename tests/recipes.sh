# The recipes of engine/study/README.md for many machines, run as they stand there but for the study,
# the number of parts and the hosts: this machine is the only one. Sourced by tests/run.
recipes_file=engine/study/README.md
recipe_study='seed-002-figure-05 --quick'

# One line of the README, by what it begins with, with three parts in place of eight.
recipe() {
  grep -m 1 "^$1" "$recipes_file" | sed -e "s/study all/study $recipe_study/" \
    -e 's/-S host1,host2/-S :/' -e 's/1 2 3 4 5 6 7 8/1 2 3/' -e 's/seq 8/seq 3/' \
    -e 's/1-8/1-3/' -e 's:/8:/3:' -e 's/^sbatch/sbatch --wait/'
}

# A cluster of this machine alone, without authentication, in a folder. SLURM_CONF is its file.
start_slurm() {
  local folder=$1 name
  name=$(hostname)
  mkdir "$folder/state" "$folder/spool"
  cat >"$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$name(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$name NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
  export SLURM_CONF=$folder/slurm.conf
  slurmctld && slurmd || return
  for ((i = 0; i < 100; i++)); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && return
    sleep 0.2
  done
  tail -n 5 "$folder"/slurm*.log >&2
  return 1
}

# check_recipe FOLDER NAME LINE: what LINE makes there is joined, and is what one run makes
check_recipe() {
  local verdict=failed
  (cd "$1" && eval "$3") >"$1/log" 2>&1 || tail -n 5 "$1/log" >&2
  if (cd "$1" && eval "$join" >/dev/null) && [ -f "$1/report/verdicts.csv" ] &&
    diff <(without_times "$1/whole") <(without_times "$1/report") >&2; then
    verdict=passed
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
  slip_say "tests: study by $2: $verdict"
  rm -rf "$1"/part* "$1/report"
}

# Tables of a folder without the column of wall times, which is the last but one where there is one.
without_times() {
  local table
  for table in "$1"/*.csv; do
    if head -n 1 "$table" | grep -q wall_us_median; then
      sed -E 's/,[^,]*,([^,]*)$/,\1/' "$table"
    else
      cat "$table"
    fi
  done
}

# Studies on many machines: by GNU parallel, and as an array of Slurm.
recipes() {
  slip_need "${slip_recipe_packages[@]}" || { failed=$((failed + 1)) && return; }
  local folder by_parallel by_slurm join
  folder=$(mktemp -d)
  by_parallel=$(recipe parallel)
  by_slurm=$(recipe sbatch)
  join=$(recipe 'slipscope study all \$')
  export PATH="$PWD/build/release:$PATH"
  # shellcheck disable=SC2086 # words of a command
  slipscope study $recipe_study --progress none -o "$folder/whole" >/dev/null
  check_recipe "$folder" 'GNU parallel' "$by_parallel"
  if start_slurm "$folder"; then
    check_recipe "$folder" 'an array of Slurm' "$by_slurm"
    scontrol shutdown
    sleep 1
  else
    slip_say "tests: Slurm does not start here: its recipe is not tried"
  fi
  rm -rf "$folder"
}
