# Completion for bash. What there is comes from the program itself.
_slipscope() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
  local commands command='' word
  commands=$("$program" --help 2>/dev/null | awk '/^Subcommands:/ { on = 1; next } on && /^  [^ ]/ { print $1 }')
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${commands//$'\n'/ } " in *" $word "*) command=$word && break ;; esac
  done
  _slipscope_first() { "$program" list "$1" 2>/dev/null | awk 'NR > 1 { print $1 }'; }
  local words=''
  case $before in
    -m | --model | --truth) words=$(_slipscope_first models) ;;
    -p | --param | --vary)
      compopt -o nospace
      words=$(_slipscope_first parameters | sed 's/$/=/')
      ;;
    --from | --to)
      [[ $command == export ]] && words='mjcf urdf sdf'
      [[ $command == dialect ]] && words=$(_slipscope_first dialects)
      [[ $command == dialect && $before == --to ]] && words+=' all'
      ;;
    --suite) words=$(_slipscope_first suites) ;;
    --theme) words='light dark' ;;
    --align) words='none first-contact start best' ;;
    --region) words='view plots view-plots window' ;;
    --quality) words='best balanced fast' ;;
    --start) words='flight measured' ;;
    --keep) words='rest impact' ;;
    list) words='scenes models laws parameters signals robots studies keys dialects suites' ;;
    *)
      if [[ $current == -* ]]; then
        words=$("$program" ${command:+"$command"} --help 2>/dev/null | grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,')
      else
        words=$(_slipscope_first scenes)
        [[ $command == study ]] && words="all $(_slipscope_first studies)"
        [ -n "$command" ] || words+=" $commands"
        compopt -o default
      fi
      ;;
  esac
  # a comma list goes on after its last comma
  local done=''
  [[ $before == -m || $before == --model ]] && [[ $current == *,* ]] && done=${current%,*},
  mapfile -t COMPREPLY < <(compgen -P "$done" -W "$words" -- "${current#"$done"}")
}
complete -F _slipscope slipscope
