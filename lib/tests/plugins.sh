#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Plug-ins of installed libraries come when they are needed. One that is missing is named, with
# what to install, and loaded once it is there.

. "$(dirname "$0")/install/bed.sh"
plugins=$libdir/open-doca-2

cat >"$dir/ask.c" <<'EOF'
#define DOCA_ALLOW_EXPERIMENTAL_API
#include <doca_dev.h>
#include <doca_sha.h>
#include <stdio.h>
#include <string.h>

static doca_error_t ask(const char *what)
{
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE];
	struct doca_devinfo **list;
	doca_error_t err;
	uint32_t n;

	err = doca_devinfo_create_list(&list, &n);
	if (err != DOCA_SUCCESS)
		return err;
	if (!strcmp(what, "hash"))
		err = doca_sha_cap_task_hash_get_supported(list[0], DOCA_SHA_ALGORITHM_SHA256);
	else if (!strcmp(what, "mac"))
		err = doca_devinfo_get_mac_addr(list[0], mac, sizeof(mac));
	doca_devinfo_destroy_list(list);
	return err;
}

/* WHAT: say why the first device has none. WHAT FROM TO: it has one when a file is renamed. */
int main(int argc, char **argv)
{
	doca_error_t err = ask(argv[1]);

	if (argc == 4) {
		if (err == DOCA_SUCCESS || rename(argv[2], argv[3]))
			return 2;
		err = ask(argv[1]);
	}
	if (err != DOCA_SUCCESS)
		puts(doca_error_get_name(err));
	return err != DOCA_SUCCESS;
}
EOF

# build [pkg-config options...]
build() {
	# words on purpose
	$CC -Wall -Wextra -Werror -o "$dir/ask" "$dir/ask.c" $(pkg-config --cflags doca-sha) \
		$(pkg-config "$@" --libs doca-sha)
}

ask() {
	LD_LIBRARY_PATH=$libdir DOCA_DRIVER=process "$dir/ask" "$@" >"$dir/said" 2>&1
}

# is_refused WHAT CODE WORDS: a line says what is missing
is_refused() {
	! ask "$1" && grep "$2" "$dir/said" && grep "$3" "$dir/said"
}

# without PLUGIN COMMAND...
without() {
	file=$plugins/$1.so
	mv "$file" "$dir/kept" || return
	shift
	"$@"
	code=$?
	[ ! -e "$dir/kept" ] || mv "$dir/kept" "$file"
	return $code
}

# is_plugin PLUGIN WHAT CODE WORDS: there is none without it, and there is once it has come
is_plugin() {
	build && ask "$2" || return
	without "$1" is_refused "$2" "$3" "$4" &&
		without "$1" ask "$2" "$dir/kept" "$plugins/$1.so"
}

hashes_come() {
	ldd "$libdir/libdoca_common.so" >"$dir/needs" && grep 'libc\.' "$dir/needs" &&
		! grep libcrypto "$dir/needs" &&
		is_plugin compute hash DOCA_ERROR_NOT_SUPPORTED \
			'open-doca-2/compute.so: cannot open.*install open-doca-compute.*libssl3'
}

no_library_is_needed() {
	objdump -p "$libdir/libdoca_common.so" >"$dir/needs" &&
		grep 'NEEDED.*libc\.' "$dir/needs" &&
		! grep 'NEEDED.*\(json\|verbs\|nl-\)' "$dir/needs"
}

reader_said='no file of JSON is read: .*open-doca-2/settings.so: cannot open.*install .*json-c'

# A profile that cannot be read is an error.
profiles_come() (
	export DOCA_PROFILE="$dir/profile.json"
	echo '{"profile": 1, "devices": [{"ibdev": "mlx5_9"}]}' >"$DOCA_PROFILE"
	is_plugin settings list DOCA_ERROR_NOT_FOUND "$reader_said"
)

# Targets are not left out either: nobody could tell that they are there.
targets_come() (
	export DOCA_TARGETS_DIR="$dir/targets"
	umask 022 # targets that others can write are refused
	mkdir "$DOCA_TARGETS_DIR" && echo '{}' >"$DOCA_TARGETS_DIR/none.json"
	is_plugin settings list DOCA_ERROR_NOT_FOUND "$reader_said"
)

# It has found its libraries by a relative path.
from_elsewhere() (
	export DOCA_PROFILE="$dir/profile.json"
	(CC="$CC -rdynamic $TOP/lib/tests/plugin/elsewhere.c" && build) && cd "$libdir/.." &&
		libdir=$(basename "$libdir") && ask list
)

interfaces_come() (
	export DOCA_PROFILE="$dir/interface.json"
	echo '{"profile": 1, "devices": [{"iface": "lo"}]}' >"$DOCA_PROFILE"
	is_plugin verbs mac DOCA_ERROR_NOT_SUPPORTED \
		'no RDMA device can be used: .*open-doca-2/verbs.so: cannot open.*install .*libibverbs'
)

# The package says with what; a program that does not ask for it has none.
static_hashes() {
	build --static && ask hash || return
	# words on purpose
	$CC -o "$dir/ask" "$dir/ask.c" $(pkg-config --cflags doca-sha) \
		$(pkg-config --static --libs doca-sha | sed 's/-Wl,-u,[a-z_]*//') &&
		is_refused hash DOCA_ERROR_NOT_SUPPORTED 'pkg-config --static'
}

# A caller may give a program any name.
of_any_name() {
	mkdir "$dir/any" && cp -r "$libdir-shared/open-doca-2" "$dir/any" &&
		cp "$dir/ask" "$dir/any/libdoca_common.so" || return
	! DOCA_DRIVER=process "$dir/any/libdoca_common.so" hash >"$dir/said" 2>&1 &&
		grep 'pkg-config --static' "$dir/said"
}

static_program() {
	static_hashes && of_any_name
}

echo "KTAP version 1"
echo "1..8"
case_ "installs" installs
case_ "hashes come when they are needed" hashes_come
case_ "libdoca_common needs no other library" no_library_is_needed
case_ "profiles come when they are needed" profiles_come
case_ "targets come when they are needed" targets_come
case_ "plug-ins are found from another folder" from_elsewhere
case_ "interfaces come when they are needed" interfaces_come
case_ "hashes of a statically linked program" with_archives static_program
