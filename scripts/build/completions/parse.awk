# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# awk -v tool=NAME -f parse.awk -f SHELL.awk: how a shell, which is bash, zsh or fish, completes the
# command line of a tool, from what its --help prints: options, with the kind of their values, and
# commands. A tool whose usage ends in "PROGRAM [ARGUMENT]..." runs another program, which completes
# its own arguments.
#
# options[i] is the name of option i, value_of(i) its value as the help calls it, or nothing, and
# text_of(i) what it does; commands[i] is a command, and about[NAME] what that does.

# "FILE" of "--out FILE", "--profile=PROFILE", or "raw|elf" of "--format raw|elf"; what begins after it
# is in the variable rest.
function take_value(text) {
	if (match(text, /^[ =][A-Za-z0-9_]+(\|[A-Za-z0-9_]+)+/) || match(text, /^[ =][A-Z][A-Z+-]*(\.\.\.)?/)) {
		rest = substr(text, RLENGTH + 1)
		return substr(text, 2, RLENGTH - 1)
	}
	rest = text
	return ""
}

function add_option(name) {
	if (name in is_option)
		return
	is_option[name] = 1
	options[++nr_options] = name
	line_of[name] = nr_lines
}

# "-o, --out FILE   text", "-1 ... -9   text", "--vmlinuz FILE, --vmlinux FILE"
function take_options(text,    digit, value) {
	nr_lines++
	while (match(text, /^(--[a-z][a-z-]*|-[A-Za-z0-9])/)) {
		add_option(substr(text, 1, RLENGTH))
		value = take_value(substr(text, RLENGTH + 1))
		text = rest
		if (match(text, /^ \.\.\. -[0-9]/)) {
			for (digit = substr(options[nr_options], 2) + 1; digit <= substr(text, 7, 1) + 0; digit++)
				add_option("-" digit)
			text = substr(text, RLENGTH + 1)
		}
		if (value != "")
			values[nr_lines] = value
		if (!sub(/^, /, "", text) && !sub(/^ -/, "-", text))
			break
	}
	sub(/^ +/, "", text)
	texts[nr_lines] = text
}

function add_command(name, text) {
	if (name in is_command) {
		if (about[name] == "")
			about[name] = text
		return
	}
	is_command[name] = 1
	commands[++nr_commands] = name
	about[name] = text
}

# "Usage: NAME compress|decompress ...", and such lines below it
{
	usage = $0
	sub(/^(Usage:)? +/, "", usage)
}
index(usage, tool " ") == 1 && !over {
	if (usage ~ /PROGRAM \[ARGUMENT\]\.\.\.$/)
		runs_another = 1
	split(substr(usage, length(tool) + 2), words, " ")
	if (words[1] ~ /^[a-z][a-z|]*$/) {
		n = split(words[1], names, "|")
		for (i = 1; i <= n; i++)
			add_command(names[i], "")
	}
	next
}
/^$/ {
	over = 1
}
/^Examples?:/ {
	exit
}

/^ +-[-A-Za-z0-9]/ {
	line = $0
	sub(/^ +/, "", line)
	take_options(line)
	next
}

# The text of an option whose name fills its line
nr_lines && texts[nr_lines] == "" && /^         +[^ ]/ {
	line = $0
	sub(/^ +/, "", line)
	texts[nr_lines] = line
	next
}

# "  ps   processes", "  maps PID   memory areas"
/^  [a-z][a-z_]*( [A-Z\[.][^ ]*)* +[^ ]/ {
	line = $0
	sub(/^ +[^ ]+( [A-Z\[.][^ ]*)* +/, "", line)
	add_command($1, line)
}

function value_of(i) {
	return values[line_of[options[i]]]
}

function text_of(i) {
	return texts[line_of[options[i]]]
}

function is_file(value) {
	return value ~ /^(FILE|KEYFILE|IMAGE|LIST)/
}

# The words of a value that is one of some, with blanks between them; nothing, if it is any other.
function words_of(value) {
	return gsub(/\|/, " ", value) ? value : ""
}

function quoted(text) {
	gsub(/\047/, "\047\\\047\047", text)
	return "\047" text "\047"
}

END {
	if (!nr_options) {
		printf "%s --help names no options\n", tool >"/dev/stderr"
		exit 1
	}
	complete()
}
