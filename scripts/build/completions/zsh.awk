# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# See parse.awk.

function escaped(text) {
	gsub(/[\\\]\[:]/, "\\\\&", text)
	return text
}

# ":MESSAGE:ACTION" of a value
function completed(value) {
	if (words_of(value) != "")
		return ":value:(" words_of(value) ")"
	return ":" value ":" (is_file(value) ? "_files" : value == "DIR" ? "_files -/" : " ")
}

function complete(    i, value) {
	printf "#compdef %s\n", tool
	if (nr_commands) {
		printf "local -a names=("
		for (i = 1; i <= nr_commands; i++)
			printf "\n\t%s", quoted(commands[i] ":" escaped(about[commands[i]]))
		print "\n)"
	}
	printf "_arguments -s -S"
	for (i = 1; i <= nr_options; i++) {
		value = value_of(i)
		printf " \\\n\t%s", quoted(options[i] (value == "" ? "" : options[i] ~ /^--/ ? "=" : "+") \
			"[" escaped(text_of(i)) "]" (value == "" ? "" : completed(value)))
	}
	if (runs_another)
		print " \\\n\t\047*:: :_normal\047"
	else if (nr_commands)
		print " \\\n\t\0471: :{_describe command names; _files}\047 \\\n\t\047*: :_files\047"
	else
		print " \\\n\t\047*: :_files\047"
}
