#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Shells offer each option that a tool's --help names, the commands, and the values of an option that
# are some words. Each shell is asked; where it is not installed, its cases are skipped.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
made=${BUILD:?}/tools/completions
PATH=$BUILD/tools:$PATH
tools=$(cd "$made/zsh" 2>/dev/null && ls)
[ -n "$tools" ] || ktap_skip_all "the tools do not run here, so nothing was made from their help"

# As a reader sees them: behind a blank, a bracket or a comma
options_of_help() {
	grep -oE '(^|[ ,[])(--[a-z][a-z-]*|-[A-Za-z0-9])([ ,=.]|$)' "$work/stdout" | grep -oE -- '-[-A-Za-z0-9]*[A-Za-z0-9]'
}

# $1: tool, which names its commands when it is given none of them
commands_of() {
	sed -n "s/^\(Usage:\|      \) $1 \([a-z|]*\) .*/\2/p" "$work/stdout" | tr '|' '\n'
	[[ $1 =~ ^(doca_apsh|doca_apsh_map|doca_bench|doca_file|docactl)$ ]] || return
	run_fail 2 "it is one of" nonsense && sed -n 's/.*it is one of //p' "$work/stderr" |
		sed 's/ or /, /; s/, /\n/g'
}

# A line for each option whose value is one of some words: it, and these
values_of_help() {
	sed -nE 's/^ +((-[a-zA-Z], )?--[a-z-]+ [A-Za-z0-9_]+(\|[A-Za-z0-9_]+)+)( .*|$)/\1/p' "$work/stdout" |
		sed 's/, / /; s/|/ /g' | awk '{ for (i = 1; $i ~ /^-/; i++) { line = $i
			for (j = 1; j <= NF; j++) if ($j !~ /^-/) line = line " " $j
			print line } }'
}

# $1: option, $2: tool; what it says that the value of the option is one of
values_of_tool() {
	local command=
	[ "$2" != doca_file ] || command=hash
	# no word, or one
	# shellcheck disable=SC2086
	run_fail 2 "it is one of" $command "$1" nonsense && sed -n 's/.*it is one of //p' "$work/stderr" |
		sed 's/ or /, /; s/, /\n/g' | sort
}

# $1: shell, which offers WORDS for NAME by a function here: offers_SHELL NAME WORD...
all_is_offered() {
	local shell=$1 name word bad=0
	command -v "$shell" >/dev/null || return 4
	for name in $tools; do
		tool_find "$name"
		run_ok --help && sed -i '/^Examples*:/,$d' "$work/stdout" || return
		{
			"offers_$shell" "$name" -
			"offers_$shell" "$name" --
			"offers_$shell" "$name" ''
		} >"$work/offered" 2>"$work/err"
		for word in $(options_of_help) $(commands_of "$name"); do
			grep -qxF -e "$word" "$work/offered" && continue
			echo "# $shell does not offer $word for $name"
			bad=1
		done
		[ ! -s "$work/err" ] || { sed 's/^/# /' "$work/err"; bad=1; }
	done
	return $bad
}

# $1: shell; the words are those that the tool knows.
values_are_offered() {
	local shell=$1 name option values nr=0
	command -v "$shell" >/dev/null || return 4
	for name in $tools; do
		tool_find "$name"
		run_ok --help || return
		while read -r option values; do
			nr=$((nr + 1))
			tr ' ' '\n' <<<"$values" | sort >"$work/words"
			values_of_tool "$option" "$name" | diff "$work/words" - || return
			"offers_$shell" "$name" "$option" '' | sort | diff "$work/words" - || return
		done < <(values_of_help)
	done
	[ $nr -ge 7 ] || echo "# only $nr options with such values were found"
	[ $nr -ge 7 ]
}

offers_bash() {
	bash --norc -c '. "$1"
		_command_offset() { :; }
		complete_words() {
			COMP_WORDS=("$@")
			COMP_CWORD=$(($# - 1))
			"_$1"
			printf "%s\n" "${COMPREPLY[@]}"
		}
		shift
		complete_words "$@"
		# Commands with options of their own
		[ "$1" != docactl ] || {
			complete_words "$1" top "$2"
			complete_words "$1" metrics "$2"
		}' bash "$made/bash/$1" "$@"
}

offers_fish() {
	fish --no-config -c 'source $argv[1]; complete -C "$argv[2..-1]"' "$made/fish/$1" "$@" |
		cut -f 1
}

# It tells by the arguments of its own functions. A word that is an option asks for its values.
offers_zsh() {
	zsh -f -c '_arguments() {
			local spec
			for spec; do
				[[ $spec != -[sS] ]] || continue
				found=${${spec%%[\[:]*}%%[=+]}
				if [[ -z $option ]]; then
					print -r -- $found
				elif [[ $found == $option && $spec == *:value:\(*\) ]]; then
					print -rl -- ${=${spec##*:\(}%\)}
				fi
			done
		}
		name=$1 option=
		[[ $# -le 3 ]] || option=$3
		set --
		source $name
		[[ -n $option ]] || print -rl -- ${names%%:*}' zsh "$made/zsh/$1" "$@"
}

test_bash_offers_all() {
	all_is_offered bash
}

test_bash_offers_values() {
	values_are_offered bash
}

test_fish_offers_all() {
	all_is_offered fish
}

test_fish_offers_values() {
	values_are_offered fish
}

test_zsh_offers_all() {
	all_is_offered zsh
}

test_zsh_offers_values() {
	values_are_offered zsh
}

ktap_all
