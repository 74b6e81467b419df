#!/bin/sh
# man.sh PROGRAM: the manual page of the program, from what its --help says.
set -eu
program=$1
version=$("$program" --version)

# of one help text on stdin: its options and arguments as tagged paragraphs
paragraphs='
function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.\x27]/, "\\\\\\&&", s); return s }
/^[A-Z][a-z]+:$/ { part = $0; next }
part == skip { next }
/^  [^ ]/ {
  line = substr($0, 3)
  at = match(line, /   */)
  name = at ? substr(line, 1, at - 1) : line
  print ".TP\n.B " text(name)
  line = at ? substr(line, at + RLENGTH) : ""
  if (line != "") print text(line)
  next
}
part != "" && NF { sub(/^ +/, ""); print text($0) }
'

commands=$("$program" --help | awk '/^Subcommands:/ { on = 1; next } on && /^  [^ ]/ { print $1 }')
printf '.TH SLIPSCOPE 1 "" "%s" "User commands"\n' "$version"
printf '.SH NAME\nslipscope \\- an oscilloscope for contact mechanics\n.SH SYNOPSIS\n'
printf '.B slipscope\n[options] [scene]\n.br\n'
for command in $commands; do printf '.B slipscope %s\n[options] ...\n.br\n' "$command"; done
cat <<'TEXT'
.SH DESCRIPTION
Runs several contact models on one scene, in a window or without one, and shows forces, gliding offset,
stick and slip and solver conditioning. Every parameter can be changed meanwhile. Scenes are named, or files:
TOML, URDF, MJCF, saved experiments.
.SH OPTIONS
TEXT
"$program" --help | awk -v skip=Subcommands: "$paragraphs"
printf '.SH COMMANDS\n'
for command in $commands; do
  printf '.SS %s\n' "$command"
  "$program" "$command" --help | awk 'NR == 1' | sed 's/\\/\\e/g; s/-/\\-/g; s/$/./'
  "$program" "$command" --help | awk "$paragraphs"
done
cat <<'TEXT'
.SH EXIT STATUS
0 done, 1 failed, 2 usage or an output that exists, 3 not converged with \-\-strict, 4 an \-\-expect or
\-\-verify is false, 5 bad input, 6 no graphics or encoder, 129, 130, 143 interrupted.
.SH FILES
.I /usr/share/slipscope/scenes
holds the scenes that come with it.
.SH SEE ALSO
.B slipscope doctor
tells what it finds on this machine,
.B slipscope list keys
what a scene file may hold.
TEXT
