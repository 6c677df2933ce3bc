#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Where libxdp is missing, lib/xsk/none stands for what needs it: each function of xsk.h
# is there as well, so that libraries that call it can be linked.

: "${CC:=gcc}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
xsk=$TOP/lib/xsk
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for name in none/none frame mode net packet; do
	"$CC" -D_GNU_SOURCE -I"$TOP/include" -I"$TOP/uapi" -I"$TOP/lib" -c \
		-o "$dir/${name#*/}.o" "$xsk/$name.c" || exit 1
done
nm -g --defined-only "$dir"/*.o | awk 'NF == 3 { print $3 }' | sort >"$dir/defined"
grep -oE '\<xsk_[a-z_]+\(' "$xsk/xsk.h" | tr -d '(' | sort -u >"$dir/declared"


# In place of the queues' library, with a device that has an interface.
cat >"$dir/prog.c" <<'END'
#include <doca_dev.h>
#include <doca_eth_rxq.h>
#include <doca_log.h>

doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *info, char *name,
					 uint32_t size)
{
	(void)info, (void)size;
	name[0] = 'x', name[1] = 0;
	return DOCA_SUCCESS;
}

int main(void)
{
	struct doca_log_backend *log;

	doca_log_backend_create_with_file_sdk(stdout, &log);
	return doca_eth_rxq_cap_is_type_supported((void *)&log, DOCA_ETH_RXQ_TYPE_REGULAR,
		DOCA_ETH_RXQ_DATA_PATH_TYPE_CPU) != DOCA_ERROR_NOT_SUPPORTED;
}
END

receives_nothing() {
	"$CC" -D_GNU_SOURCE -DDOCA_ALLOW_EXPERIMENTAL_API -I"$TOP/include" -I"$TOP/uapi" \
		-I"$TOP/lib" -include stdio.h -o "$dir/prog" "$dir/prog.c" "$TOP/lib/eth/caps.c" \
		"$dir/none.o" "$dir/mode.o" -L"${O:=$TOP/build}/lib" -ldoca_common &&
		LD_LIBRARY_PATH=$O/lib "$dir/prog"
}

every_function_is_there() {
	missing=$(comm -23 "$dir/declared" "$dir/defined" | xargs)
	echo "not defined without libxdp: $missing"
	[ -s "$dir/declared" ] && [ -z "$missing" ]
}

echo "KTAP version 1"
echo "1..2"
n=0
for name in every_function_is_there receives_nothing; do
	if $name >"$dir/out" 2>&1; then
		echo "ok $((n += 1)) $name"
	else
		sed 's/^/# /' "$dir/out"
		echo "not ok $((n += 1)) $name"
	fi
done
