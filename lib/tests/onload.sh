#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs of Onload, as they are installed: linked with the shared or the static library,
# with and without onload(1), and what doca_zc(1) shows of them.

: "${CC:=gcc}" "${CXX:=g++}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${O:=$TOP/build}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$dir/root
libdir=$root/lib
export PKG_CONFIG_PATH="$libdir/pkgconfig" PATH="$root/bin:$PATH" LD_LIBRARY_PATH="$libdir"
n=0

cat >"$dir/prog.c" <<'PROG'
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

static enum onload_zc_callback_rc use(struct onload_zc_recv_args *args, int flags)
{
	printf("%.*s flags %d\n", (int)args->msg.iov[0].iov_len,
	       (char *)args->msg.iov[0].iov_base, flags);
	return ONLOAD_ZC_KEEP;
}

int main(int argc, char **argv)
{
	struct onload_zc_recv_args args;
	struct sockaddr_in addr;
	socklen_t len = sizeof(addr);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char c;

	memset(&args, 0, sizeof(args));
	memset(&addr, 0, sizeof(addr));
	args.cb = use;
	args.flags = ONLOAD_MSG_DONTWAIT | ONLOAD_MSG_RECV_OS_INLINE;
	addr.sin_family = AF_INET;
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&addr, len) ||
	    getsockname(fd, (struct sockaddr *)&addr, &len) ||
	    sendto(fd, "data", 4, 0, (struct sockaddr *)&addr, len) != 4)
		return 1;
	printf("present %d\n", onload_is_present());
	printf("received %d\n", onload_zc_recv(fd, &args));
	fflush(stdout);
	/* Until it was looked at. */
	return argc > 1 && argv[1] && read(0, &c, 1) < 0;
}
PROG

case_() {
	n=$((n + 1))
	name=$1
	shift
	if "$@" >"$dir/out" 2>&1; then
		echo "ok $n $name"
	else
		sed 's/^/# /' "$dir/out"
		echo "not ok $n $name"
	fi
}

# $1: folder, and what is installed there
install_to() {
	dest=$1
	shift
	mkdir -p "$O" && MAKEFLAGS='' flock -o "$O" make -s -C "$TOP/lib" O="$O" UNDER= PREFIX="$dest" LIBDIR="$dest/lib" \
		CC="$CC" "$@" install &&
		MAKEFLAGS='' make -s -C "$TOP/tools" O="$O" UNDER= PREFIX="$dest" "$@" install
}

builds() {
	$CC -Wall -Wextra -Werror -o "$dir/shared" "$dir/prog.c" \
		$(pkg-config --cflags --libs onload_ext) &&
		$CXX -Wall -Wextra -Werror -x c++ -o "$dir/shared++" "$dir/prog.c" \
			-x none $(pkg-config --cflags --libs onload_ext) &&
		$CC -Wall -Wextra -Werror -o "$dir/static" "$dir/prog.c" \
			$(pkg-config --cflags onload_ext) "$libdir/libonload_ext.a" -ldl &&
		objdump -p "$libdir/libonload_ext.so" | grep "SONAME *libonload_ext.so.1$" &&
		objdump -p "$dir/shared" | grep "NEEDED *libonload_ext.so.1$" &&
		! objdump -p "$dir/static" | grep "NEEDED *libonload"
}

# $1: program; -ENOSYS is -38
alone() {
	"$dir/$1" >"$dir/said" && printf 'present 0\nreceived -38\n' | diff - "$dir/said"
}

under_onload() {
	onload "$dir/$1" >"$dir/said" &&
		printf 'present 1\ndata flags 2\nreceived 0\n' | diff - "$dir/said"
}

# A user without privileges: the caller, unless that is root. $1: program
by_nobody() {
	chmod 711 "$dir"
	as=
	[ "$(id -u)" -ne 0 ] || as="setpriv --reuid 65534 --regid 65534 --clear-groups"
	$as "$dir/$1" >"$dir/said" && printf 'present 0\nreceived -38\n' | diff - "$dir/said" &&
		DOCA_ZC=xdp $as onload "$dir/$1" >"$dir/said" &&
		printf 'present 1\ndata flags 2\nreceived 0\n' | diff - "$dir/said"
}

# The part that goes past the kernel needs libxdp, and may be left out: then programs that ask
# for it are told.
without_xdp() {
	mkdir "$dir/xdp" && mv "$libdir"/libonload_xdp.so* "$dir/xdp" || return
	DOCA_ZC=xdp onload "$dir/$1" >"$dir/said" 2>"$dir/err"
	code=$?
	mv "$dir"/xdp/* "$libdir"
	[ $code -eq 0 ] && printf 'present 1\ndata flags 2\nreceived 0\n' | diff - "$dir/said" &&
		grep "through the kernel: libonload_xdp.so.1: cannot open" "$dir/err"
}

# Names are the same in both, and are those of the headers.
same_names() {
	for l in onload onload_ext; do
		nm -D --defined-only "$libdir/lib$l.so" | sed -n 's/.* T \(onload_\)/\1/p' |
			sort >"$dir/$l"
	done
	[ "$(wc -l <"$dir/onload")" -gt 30 ] && diff "$dir/onload" "$dir/onload_ext" &&
		cat "$root"/include/onload/*.h | tr '\n' ' ' | sed 's,/\*\*[^/]*\*/,,g' |
		grep -o '\bonload_[a-z_]*([^;{]*);' | sed 's/(.*//' | sort -u |
			diff - "$dir/onload"
}

# Nothing but libc, and nothing public but what it stands before.
is_small() {
	[ "$(objdump -p "$libdir/libonload.so" | grep -c NEEDED)" -eq 1 ] &&
		nm -D --defined-only "$libdir/libonload.so" | sed 's/.* //' |
		grep -v '^onload_' | LC_ALL=C sort | tr '\n' ' ' >"$dir/names" &&
		printf "%s " __poll_chk __ppoll_chk __read_chk __recv_chk __recvfrom_chk \
			close connect dup dup2 dup3 epoll_ctl ioctl poll ppoll pselect read readv \
			recv recvfrom recvmmsg recvmsg select setsockopt |
			diff - "$dir/names"
}

script() {
	onload --help | grep -q '^Usage: onload' &&
		onload -v | grep -q '^onload (Open DOCA) [0-9.]*, DOCA 3' && onload -- true || return
	onload sh -c 'exit 3'
	[ $? -eq 3 ] || return
	onload 2>"$dir/err"
	[ $? -eq 2 ] && grep -q "which program is missing" "$dir/err" || return
	for profile in "-p latency" "-platency" "--profile=latency" "--profile latency"; do
		# shellcheck disable=SC2086
		[ "$(onload $profile -- echo ran 2>"$dir/err")" = ran ] &&
			grep "'latency' changes nothing" "$dir/err" || return
	done
	onload --profile= true 2>"$dir/err"
	[ $? -eq 2 ] && grep "which profile is missing" "$dir/err" || return
	LD_LIBRARY_PATH='' under_onload static || return
	cp "$root/bin/onload" "$dir/apart"
	LD_LIBRARY_PATH='' "$dir/apart" true 2>"$dir/err"
	[ $? -eq 1 ] && grep -q "does not find libonload.so.1" "$dir/err"
}

# Start a program that reads 5, and read what it says as 6, up to a line that begins with a
# word. $1: that word, $2...: the program
start() {
	word=$1
	shift
	rm -f "$dir/stay" "$dir/says"
	mkfifo "$dir/stay" "$dir/says" && exec 5<>"$dir/stay" || return
	"$@" <&5 >"$dir/says" &
	pid=$!
	exec 6<"$dir/says"
	while read -r line <&6; do
		case $line in "$word"*) return ;; esac
	done
	return 1
}

# One process, as it is now.
shows() {
	start received onload "$dir/shared" wait || return
	doca_zc $pid >"$dir/text" && doca_zc --json >"$dir/json"
	code=$?
	echo >&5
	wait $pid
	[ $code -eq 0 ] && grep "^process $pid$" "$dir/text" &&
		grep "^    path: kernel (.*loopback interface)$" "$dir/text" &&
		grep "^  buffers: 1 kept of 8192$" "$dir/text" &&
		grep "^  socket [0-9]*: 1 datagrams, 4 bytes; no buffer 0 times, not inline 0 times$" \
			"$dir/text" &&
		grep "\"pid\": *$pid," "$dir/json" && return
	cat "$dir/text" "$dir/json"
	return 1
}

shows_who_has_none() {
	doca_zc $$ 2>"$dir/err"
	[ $? -eq 1 ] && grep "process $$ has not used zero-copy receive" "$dir/err" || return
	doca_zc 2147483647 2>"$dir/err"
	[ $? -eq 1 ] && grep "No such process" "$dir/err" || return
	# Where others run meanwhile, they are shown.
	doca_zc >"$dir/text" 2>"$dir/err" && { [ -s "$dir/text" ] ||
		grep "no process of this user has used zero-copy receive" "$dir/err"; }
}

# A pipe has the name of the memfd: its writer shows whether it was opened.
cat >"$dir/other.c" <<'PROG'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME "memfd:doca_zc (deleted)"

int main(int argc, char **argv)
{
	if (argc != 3 || mount("none", argv[1], "tmpfs", 0, NULL) || chdir(argv[1]) ||
	    mkdir("old", 0700) || mknod(NAME, S_IFREG | 0600, 0) ||
	    mount(argv[2], NAME, NULL, MS_BIND, NULL) ||
	    syscall(SYS_pivot_root, ".", "old") || open("/" NAME, O_PATH) < 0)
		return puts("ready to skip") < 0;
	puts("ready");
	fflush(stdout);
	return getchar() < 0;
}
PROG

# A process that opens a pipe as 6 still waits for another to open it, too. $1: its number
waits_for_reader() {
	[ "$(sed 's/.*) \(.\).*/\1/' /proc/$1/stat)" = S ] && [ ! -e /proc/$1/fd/6 ]
}

opens_no_other() {
	mkdir "$dir/root.of" && mkfifo "$dir/pipe" && $CC -o "$dir/other" "$dir/other.c" || return
	unshare -Urm true || return 0
	start ready unshare -Urm "$dir/other" "$dir/root.of" "$dir/pipe" || return
	[ "$line" = ready ] || return 0
	sh -c "exec 6>'$dir/pipe'" 6>&- &
	writer=$!
	until waits_for_reader $writer; do :; done
	doca_zc $pid 2>"$dir/err"
	waits_for_reader $writer
	code=$?
	kill $writer
	echo >&5
	wait $pid
	[ $code -eq 0 ] && grep "has not used zero-copy receive" "$dir/err"
}

# The samples, alone as a user builds them. $1: name, $2: what it prints
sample() {
	$CC -Wall -Wextra -Werror -o "$dir/$1" "$TOP/samples/$1/$1.c" -pthread \
		$(pkg-config --cflags --libs onload_ext) || return
	port=$((20000 + $$ % 20000))
	start ready onload "$dir/$1" $port 50 || return
	bash -c "for i in \$(seq 50); do echo -n 1234 >/dev/udp/127.0.0.1/$port; done"
	grep "^$2$" <&6
	code=$?
	wait $pid && [ $code -eq 0 ]
}

leaves_it_out() {
	install_to "$dir/without" ONLOAD=no || return
	! find "$dir/without" -name '*onload*' -o -name 'doca_zc*' | grep .
}

echo "KTAP version 1"
echo "1..20"
case_ "installs" install_to "$root"
case_ "builds" builds
for p in shared shared++ static; do
	case_ "$p, without onload" alone $p
	case_ "$p, under onload" under_onload $p
done
case_ "shared, by nobody" by_nobody shared
case_ "static, by nobody" by_nobody static
case_ "without what goes past the kernel" without_xdp shared
case_ "both libraries have the functions of the headers" same_names
case_ "what is preloaded is small" is_small
case_ "the script" script
case_ "doca_zc shows a process" shows
case_ "doca_zc and processes that show nothing" shows_who_has_none
case_ "doca_zc opens nothing else of that name" opens_no_other
case_ "sample zc_udp_receive" sample zc_udp_receive "50 datagrams, 200 bytes"
case_ "sample zc_udp_kernel" sample zc_udp_kernel \
	"0 datagrams without a copy, 50 from the kernel"
case_ "ONLOAD=no leaves it out" leaves_it_out
