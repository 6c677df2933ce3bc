#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# layout.sh [-w]: no byte of the kernel's interface has moved. layout.txt has where each
# field is, the same for every machine, and the value of each constant. -w writes it
# anew, for what was added.

: "${CC:=gcc}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
known=$TOP/lib/tests/layout.txt
headers=$(cd "$TOP/uapi" && echo linux/doca*.h)
include=$(for h in $headers; do echo "#include <$h>"; done)

# structures MACHINE: clang lays them out for any, and of this machine's headers needs
# only what is the same everywhere.
structures() {
	echo "$include" | clang -target "$1" -I"$TOP/uapi" \
		-idirafter "/usr/include/$("$CC" -print-multiarch)" \
		-fsyntax-only -Xclang -fdump-record-layouts-complete -x c - |
	awk -F' [|] ' '
	# OFFSET | TYPE NAME, further right by two within another structure
	$2 ~ /^ *struct doca_[a-z0-9_]*$/ && $2 !~ /^ / {
		name = substr($2, 8)
		shown[0] = 1
		next
	}
	name == "" { next }
	/\[sizeof=/ {
		sub(/,.*/, "")
		gsub(/[^0-9]/, "")
		print name ": " $0
		name = ""
		next
	}
	{
		match($2, /^ */)
		depth = RLENGTH / 2
		nameless = $2 ~ /anonymous|unnamed/
		shown[depth] = shown[depth - 1] && nameless
		if (!shown[depth - 1] || nameless)
			next
		type = field = $2
		gsub(/^ *| [^ ]*$/, "", type)
		sub(/.* /, "", field)
		print name "." field " " $1 + 0 " " type
	}'
}

# Enumerators, and macros that are numbers.
names() {
	(cd "$TOP/uapi" && cat $headers) | sed -n \
		-e 's/^\t\(_*DOCA_[A-Z0-9_]*\)\( = .*\)\?,.*/\1/p' \
		-e '/"/d' -e 's/^#define \(DOCA_[A-Z0-9_]*\)[ \t].*/\1/p'
}

constants() {
	dir=$(mktemp -d) || return
	{
		echo "#include <stdio.h>"
		echo "$include"
		echo "int main(void) {"
		names | sed 's/.*/printf("& %#llx\\n", (long long)&);/'
		echo "}"
	} | "$CC" -I"$TOP/uapi" -x c -o "$dir/constants" - && "$dir/constants"
	rm -rf "$dir"
}

if [ "$1" = -w ]; then
	{ structures x86_64-linux-gnu && constants; } >"$known"
	exit
fi

n=0
# same LINES COMMAND...: it prints those lines of the file, and nothing else.
same() {
	n=$((n + 1))
	lines=$1
	shift
	if [ "$1" = structures ] && ! command -v clang >/dev/null; then
		echo "ok $n $* # SKIP there is no clang"
		return
	fi
	now=$("$@" 2>&1)
	was=$(grep "$lines" "$known")
	if [ -n "$now" ] && [ "$now" = "$was" ]; then
		echo "ok $n $*"
		return
	fi
	printf '%s\n' "$was" "$now" | sort | uniq -u | sed 's/^/# /'
	echo "not ok $n $*"
}

echo "1..5"
for machine in x86_64-linux-gnu aarch64-linux-gnu i386-linux-gnu \
	arm-linux-gnueabihf; do
	same '^[a-z]' structures $machine
done
same '^[_A-Z]' constants
