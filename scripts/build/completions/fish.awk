# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# See parse.awk.

function kind_of(value) {
	if (value == "")
		return ""
	if (is_file(value))
		return " -r -F"
	if (words_of(value) != "")
		return " -x -a " quoted(words_of(value))
	if (value == "DIR")
		return " -x -a \"(__fish_complete_directories (commandline -ct))\""
	return " -x"
}

function complete(    i) {
	for (i = 1; i <= nr_options; i++) {
		printf "complete -c %s %s%s -d %s\n", tool,
			options[i] ~ /^--/ ? "-l " substr(options[i], 3) : "-s " substr(options[i], 2),
			kind_of(value_of(i)), quoted(text_of(i))
	}
	for (i = 1; i <= nr_commands; i++)
		printf "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", tool, commands[i],
			quoted(about[commands[i]])
	if (runs_another)
		printf "complete -c %s -x -a \"(__fish_complete_subcommand)\"\n", tool
}
