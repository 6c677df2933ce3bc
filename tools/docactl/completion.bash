# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# bash completion of docactl

# The values of one name in a listing, a line each
_docactl_values() {
	docactl --json "$1" 2>/dev/null |
		sed -nE "s/^ *\"$2\": ?\"?([^\",]*).*/\\1/p"
}

_docactl() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command='' words='' word

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || { command=$word; break; }
	done
	case $command in
	'') words='device file memory mapping export queue dm engine pair
		representor comch connection worker user summary top monitor metrics revoke help -j --json -h --help -v --version' ;;
	device) words='show dev' ;;
	file | memory | worker) words='show file pid uid' ;;
	mapping | export | queue | dm | comch | connection) words='show file pid uid dev' ;;
	user) words='show uid' ;;
	metrics) words=--users ;;
	top) words='file pid uid dev -d --delay -n --count' ;;
	help) words='device file memory mapping export queue dm engine pair
		representor comch connection worker user summary top monitor metrics revoke' ;;
	pair) words='show add del' ;;
	representor) words=show ;;
	engine) words='list add remove attach detach' ;;
	revoke) words=$(_docactl_values export export) ;;
	esac
	if [ "$command" = engine ] && [[ $prev =~ ^(add|remove|attach)$ ||
			" ${COMP_WORDS[*]} " =~ \ (add|remove)\  ]]; then
		words=$(_docactl_values engine name)
	elif [ "$command" = engine ] && [[ " ${COMP_WORDS[*]} " =~ \ (at|de)tach\  ]]; then
		words=$(_docactl_values device name)
	elif [ "$command" = pair ] && [[ " ${COMP_WORDS[*]} " =~ \ del\  ]]; then
		words=$(_docactl_values pair pair)
	elif [ "$command" = pair ] && [[ " ${COMP_WORDS[*]} " =~ \ add\  ]]; then
		words='dpu host users'
		case $prev in
		dpu | host) words=$(_docactl_values device name) ;;
		users) words='any same' ;;
		esac
	elif [ "$prev" != "$command" ]; then
		case $prev in
		dev) words=$(_docactl_values device name) ;;
		file) words=$(_docactl_values file file) ;;
		uid) words=$(compgen -u) ;;
		pid | -d | -n | --delay | --count) words= ;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _docactl docactl
