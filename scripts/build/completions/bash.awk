# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# See parse.awk.

function join(list, n,    i, text) {
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? " " : "") list[i]
	return text
}

# A file, dir or other; or the value itself, if it is one of some words
function kind_of(value) {
	if (words_of(value) != "")
		return value
	return is_file(value) ? "file" : value == "DIR" ? "dir" : "other"
}

# Patterns of the options whose values are of this kind
function with_value(kind,    i, text) {
	for (i = 1; i <= nr_options; i++)
		if (value_of(i) != "" && kind_of(value_of(i)) == kind)
			text = text (text == "" ? "" : " | ") options[i]
	return text
}

function print_case(pattern, action) {
	if (pattern != "")
		printf "\t%s) %s; return ;;\n", pattern, action
}

function print_cases_of_words(reply,    i, value, is_done) {
	for (i = 1; i <= nr_options; i++) {
		value = value_of(i)
		if (words_of(value) == "" || value in is_done)
			continue
		is_done[value] = 1
		print_case(with_value(value), reply "-W \"" words_of(value) "\" -- \"$cur\")")
	}
}

function complete(    reply) {
	reply = "mapfile -t COMPREPLY < <(compgen "
	printf "# bash completion of %s\n_%s() {\n", tool, tool
	if (runs_another)
		print "\tlocal i=1\n\twhile [[ $i -lt $COMP_CWORD && ${COMP_WORDS[i]} == -* ]]; do i=$((i + 1)); done\n" \
			"\tif [[ ${COMP_WORDS[i]} != -* ]]; then _command_offset $i; return; fi"
	print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n\tcase $prev in"
	print_case(with_value("file"), reply "-f -- \"$cur\")")
	print_case(with_value("dir"), reply "-d -- \"$cur\")")
	print_case(with_value("other"), "COMPREPLY=()")
	print_cases_of_words(reply)
	printf "\tesac\n\tif [[ $cur == -* ]]; then\n\t\t%s-W \"%s\" -- \"$cur\")\n", reply, join(options, nr_options)
	printf "\telse\n\t\t%s-W \"%s\" -f -- \"$cur\")\n\tfi\n}\n", reply, join(commands, nr_commands)
	printf "complete -o filenames -F _%s %s\n", tool, tool
}
