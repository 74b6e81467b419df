# Completion for fish. What there is comes from the program itself.
function __slipscope_commands
    slipscope --help 2>/dev/null | awk '/^Subcommands:/ { on = 1; next } on && /^  [^ ]/ { name = $1; $1 = ""; print name "\t" substr($0, 2) }'
end
function __slipscope_first
    slipscope list $argv[1] 2>/dev/null | awk 'NR > 1 { print $1 }'
end
function __slipscope_command
    set -l words (commandline -opc)
    for word in $words[2..]
        contains -- $word (__slipscope_commands | cut -f 1); and echo $word; and return
    end
end
function __slipscope_options
    slipscope (__slipscope_command) --help 2>/dev/null | grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,'
end
complete -c slipscope -n 'test -z (__slipscope_command)' -a '(__slipscope_commands)'
complete -c slipscope -n 'not contains -- study (__slipscope_command)' -a '(__slipscope_first scenes)'
complete -c slipscope -n 'contains -- study (__slipscope_command)' -a 'all (__slipscope_first studies)'
complete -c slipscope -n 'string match -q -- "-*" (commandline -ct)' -a '(__slipscope_options)'
complete -c slipscope -s m -l model -x -a '(__slipscope_first models)'
complete -c slipscope -s p -l param -x -a '(__slipscope_first parameters | sed "s/\$/=/")'
complete -c slipscope -l truth -x -a '(__slipscope_first models)'
complete -c slipscope -l suite -x -a '(__slipscope_first suites)'
complete -c slipscope -n 'contains -- export (__slipscope_command)' -l to -x -a 'mjcf urdf sdf'
complete -c slipscope -n 'contains -- dialect (__slipscope_command)' -l from -x -a '(__slipscope_first dialects)'
complete -c slipscope -n 'contains -- dialect (__slipscope_command)' -l to -x -a 'all (__slipscope_first dialects)'
complete -c slipscope -l theme -x -a 'light dark'
complete -c slipscope -l align -x -a 'none first-contact start best'
complete -c slipscope -l region -x -a 'view plots view-plots window'
complete -c slipscope -l quality -x -a 'best balanced fast'
complete -c slipscope -l start -x -a 'flight measured'
complete -c slipscope -l keep -x -a 'rest impact'
