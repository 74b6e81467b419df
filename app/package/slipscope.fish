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
complete -c slipscope -a '(__slipscope_first scenes)'
complete -c slipscope -n 'test (__slipscope_command) = study' -a 'all (__slipscope_first studies)'
complete -c slipscope -n 'string match -q -- "-*" (commandline -ct)' -a '(__slipscope_options)'
complete -c slipscope -s m -l model -x -a '(__slipscope_first models)'
complete -c slipscope -s p -l param -x -a '(__slipscope_first parameters | sed "s/\$/=/")'
complete -c slipscope -l theme -x -a 'light dark'
