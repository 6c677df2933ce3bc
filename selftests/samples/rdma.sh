#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Samples of RDMA, each of which is two processes, on one device and between two. With the
# module this needs root; the samples are run by another user. With DOCA_DRIVER=process
# the caller runs them.

here=$(dirname "$(realpath "$0")")
top=$here/../..
build=$(realpath "${DOCA_BUILD:-$top/build}")
built=$build/selftests/samples
. "$here/../lib/ktap.sh"

in_process() {
	[ "${DOCA_DRIVER:-}" = process ]
}

has_device() {
	[ -e "/sys/class/infiniband/$1" ]
}

in_process || [ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
in_process || [ -c /dev/doca ] || ktap_skip_all "needs the driver"
[ -d "$built/rdma_send_receive" ] || ktap_skip_all "needs the samples"

work=$(mktemp -d)
trap 'end_server; rm -rf "$work"' EXIT
server=

# In a process that becomes one side of a sample.
exec_side() {
	exec_as_user "$built/$1/$1" "${@:2}"
}

exec_as_user() {
	in_process || set -- setpriv --reuid 1000 --regid "$(stat -c %g /dev/doca)" \
		--clear-groups --inh-caps=-all --bounding-set=-all "$@"
	exec "$@" < /dev/null
}

client() {
	(exec_side "$1" client "${@:2}" > "$work/client.out" 2> "$work/client.err")
}

# A server, until it waits for its client.
start_server() {
	start_as_user "$built/$1/$1" server "${@:2}"
}

start_as_user() {
	: > "$work/server.out"
	(exec_as_user "$@" > "$work/server.out" 2> "$work/server.err") &
	server=$!
	await server_waits_or_is_over && server_waits
}

server_waits() {
	grep -q '^Waiting at ' "$work/server.out"
}

server_waits_or_is_over() {
	server_waits || ! kill -0 "$server"
}

end_server() {
	[ -n "$server" ] || return 0
	kill "$server" 2> /dev/null
	wait "$server" 2> /dev/null
	server=
}

show() {
	echo "# not as it should be: $*"
	for side in server client; do
		sed "s/^/# $side: /" "$work/$side.out" "$work/$side.err"
	done
	return 1
}

# Both have succeeded, have printed these words, and have logged nothing.
both_are_right() {
	local result
	wait "$server"
	result=$?
	server=
	[ $result -eq 0 ] && grep -Eq -- "$1" "$work/server.out" &&
		grep -Eq -- "$2" "$work/client.out" &&
		! [ -s "$work/server.err" ] && ! [ -s "$work/client.err" ]
}

# $1: sample, $2 and $3: words of the server and of the client; $server_flags, $client_flags
run_pair() {
	# words on purpose
	# shellcheck disable=SC2086
	start_server "$1" ${server_flags:-} && client "$1" ${client_flags:-} &&
		both_are_right "$2" "$3" || show "$1"
}

messages() {
	run_pair rdma_send_receive '^The client says: ping 3$' '^The server answers: ping 3$' &&
		grep -q '^3 of 3 texts have come$' "$work/server.out" &&
		grep -q '^3 of 3 texts were answered$' "$work/client.out"
}

memory() {
	run_pair rdma_write_read '^The answer is 42, by the client; the counter is 8$' \
		'^The server asks: What is the answer' &&
		grep -q '^The counter was 7$' "$work/client.out"
}

test_rdma_send_receive() {
	has_device rxe0 || return 4
	messages
}

test_rdma_write_read() {
	has_device rxe0 || return 4
	memory
}

# Two devices of one machine have the link between them, by the addresses of the link.
test_between_two_devices() {
	has_device rxe1 || return 4
	local server_flags="-d rxe0 -g 0" client_flags="-d rxe1 -g 0"
	messages && memory
}

test_by_another_port_and_address() {
	has_device rxe0 || return 4
	local server_flags="-a localhost -t 18516" client_flags="-a localhost -t 18516"
	messages && memory
}

test_a_client_without_server_says_so() {
	has_device rxe0 || return 4
	client rdma_write_read && return 1
	grep -q '^the server, which has to be there first: ' "$work/client.err"
}

# It does not wait for one that is gone.
test_a_server_whose_client_ends_says_so() {
	has_device rxe0 || return 4
	local name
	for name in rdma_send_receive rdma_write_read; do
		start_server $name && (exec 5<> /dev/tcp/127.0.0.1/18515) || return
		wait "$server" && return 1
		server=
		grep -q '^the other side: ' "$work/server.err" || show $name || return
	done
}

test_without_a_device_they_say_what_to_do() {
	local name
	for name in rdma_send_receive rdma_write_read; do
		client $name -d none && return 1
		grep -q 'sudo rdma link add rxe0 type rxe' "$work/client.err" &&
			grep -q '^an RDMA device: ' "$work/client.err" || show $name || return
	done
}

# Commands of the README's section, without its remarks.
commands() {
	sed -n '/^## Programs that are connected by RDMA$/,/^## [^P]/s/^    \([^#]*[^# ]\).*/\1/p' \
		"$top/README.md"
}

# As a user does it: root's and the build were before.
follow() {
	case $1 in
	make\ * | sudo*) ;;
	*\ server*)
		# words on purpose
		# shellcheck disable=SC2086
		start_as_user $1
		;;
	*\ client*)
		(exec_as_user bash -c "exec $1" > "$work/client.out" 2> "$work/client.err") &&
			both_are_right '' '' || show "$1"
		;;
	*) (exec_as_user bash -c "exec $1") > "$work/out" ;;
	esac
}

test_what_the_readme_says() {
	local line
	has_device rxe0 && [ -x "$build/samples/rdma_send_receive" ] || return 4
	mkdir -p "$work/tree" && ln -sfn "$build" "$work/tree/build" && chmod 755 "$work" &&
		cd "$work/tree" && [ "$(commands | grep -c ' client')" -eq 2 ] || return
	while read -r line; do
		follow "$line" && continue
		echo "# '$line' has failed"
		return 1
	done < <(commands)
}

test_wrong_arguments_are_refused() {
	(exec_side rdma_write_read) > "$work/client.out" 2> "$work/client.err" && return 1
	grep -q '^the arguments: name a role' "$work/client.err" || show || return
	has_device rxe0 || return 0
	client rdma_write_read -g 1x && return 1
	grep -q '^the number of the GID: ' "$work/client.err" || show
}

ktap_all
