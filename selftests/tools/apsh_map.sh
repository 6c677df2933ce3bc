#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# doca_apsh_map: maps of the kernels in /boot, of the one that runs where it shows all of
# its symbols, and what is said of files that are none. No driver is needed.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes
tool_find doca_apsh_map

is() {
	"$here/apsh_map.py" "$@"
}

# Images that have what a map is made of.
images() {
	ls /boot/vmlinuz-6.* 2> /dev/null
}

test_images_of_both_kernels() {
	local image n=0
	for image in $(images); do
		run_ok symbols --vmlinuz "$image" -o "$work/map.json" &&
			is schema "$work/map.json" || return
		if command -v pahole > /dev/null; then
			is unpack "$image" "$work/vmlinux" &&
				is pahole "$work/map.json" "$work/vmlinux" &&
				run_ok symbols --vmlinux "$work/vmlinux" \
					-o "$work/elf.json" &&
				is same "$work/map.json" "$work/elf.json" || return
		fi
		n=$((n + 1))
	done
	[ $n -gt 0 ] || return 4
}

# A kernel that never was, with its tables in each form that kernels have had.
made() {
	"$here/apsh_map_image.py" "$@"
}

test_tables_of_all_kernels() {
	local form
	for form in 4.18 4.20 6.2 6.4 6.15 7.0 arm64-6.1 arm64-6.12 arm64-7.0; do
		made elf $form "$work/elf" && made memory $form "$work/memory" &&
			run_ok symbols --vmlinux "$work/elf" -o "$work/elf.json" &&
			made check $form "$work/elf.json" &&
			run_ok symbols --from-memory "$work/memory" -o "$work/memory.json" &&
			is same "$work/elf.json" "$work/memory.json" ||
			{ echo "# of $form"; return 1; }
	done
}

# As distributions have them: as it is, by gzip, and with a program of EFI.
test_images_of_arm64() {
	local how
	made flat arm64-6.12 "$work/image" && gzip -c "$work/image" >"$work/gzip" || return 1
	for how in gzip zstd xz lz4; do
		made zboot $how "$work/image" "$work/zboot-$how" || [ $? = 4 ] || return 1
	done
	for how in image gzip zboot-gzip zboot-zstd zboot-xz zboot-lz4; do
		[ -e "$work/$how" ] || continue
		run_ok symbols --vmlinuz "$work/$how" -o "$work/$how.json" &&
			made check arm64-6.12 "$work/$how.json" ||
			{ echo "# of $how"; return 1; }
	done
}

# $1: how it is packed. In two forms the banner is as it is, and only a checksum shows it.
damage() {
	case $1 in
	stored | lzo) made damage "$2" ;;
	*) dd if=/dev/zero of="$2" bs=64 count=1 conv=notrunc status=none \
		seek=$(($(stat -c %s "$2") / 128)) ;;
	esac
}

test_kernels_however_they_are_packed() {
	local how
	made elf 7.0 "$work/elf" && run_ok symbols --vmlinux "$work/elf" -o "$work/elf.json" || return
	for how in gzip stored bzip2 lzma xz lz4 lzo zstd; do
		made pack $how "$work/elf" "$work/bz"
		case $? in
		0) ;;
		4) echo "# $how is not here" && continue ;;
		*) return 1 ;;
		esac
		run_ok symbols --vmlinuz "$work/bz" -o "$work/bz.json" &&
			is same "$work/elf.json" "$work/bz.json" || { echo "# by $how"; return 1; }
		# those with checksums
		case $how in lzma | lz4) continue ;; esac
		damage $how "$work/bz" &&
			run_fail 1 "cannot be unpacked" symbols --vmlinuz "$work/bz" ||
			{ echo "# damaged, by $how"; return 1; }
	done
	made pack none "$work/elf" "$work/bz" &&
		run_fail 1 "is packed by none of gzip, bzip2, LZMA, xz, LZ4, LZO and zstd" \
			symbols --vmlinuz "$work/bz"
}

test_packages_of_kernels() {
	local image=$(images | head -n 1) tree=$work/tree
	[ -n "$image" ] && command -v dpkg-deb > /dev/null || return 4
	mkdir -p "$tree/DEBIAN" "$tree/boot" && cp "$image" "$tree/boot" || return
	printf '%s\n' 'Package: linux-image' 'Version: 1' 'Architecture: all' \
		'Maintainer: nobody' 'Description: a kernel' > "$tree/DEBIAN/control"
	dpkg-deb -b -Zxz -z0 "$tree" "$work/linux.deb" > /dev/null &&
		tar -C "$tree" -cf "$work/linux.tar" boot &&
		run_ok symbols --vmlinuz "$image" -o "$work/image.json" &&
		run_ok symbols --package "$work/linux.deb" -o "$work/deb.json" &&
		is same "$work/image.json" "$work/deb.json" &&
		run_ok symbols --package "$work/linux.tar" -o "$work/tar.json" &&
		is same "$work/image.json" "$work/tar.json" || return
	head -c 3000000 "$work/linux.deb" > "$work/cut.deb"
	run_fail 1 "is damaged" symbols --package "$work/cut.deb" || return
	rm "$tree"/boot/* && dpkg-deb -b "$tree" "$work/none.deb" > /dev/null &&
		run_fail 1 "has no file vmlinuz or vmlinux" symbols --package "$work/none.deb" &&
		run_fail 1 "as a package: Unrecognized" symbols --package /etc/passwd
}

# As in a debug package of a kernel without BTF. The tables are put where a kernel has them.
make_debug_image() {
	made tables 4.18 "$work/tables" && cat > "$work/types.c" << 'END' &&
struct list_head { struct list_head *next, *prev; };
union side { long number; double real; };
enum state { IDLE, GONE = -2 };
struct task_struct {
	int pid;
	char comm[16];
	struct list_head tasks;
	unsigned long low : 3, high : 9;
	union side side;
	enum state state;
};
struct task_struct init_task;
__asm__(".section .rodata\n.incbin \"tables\"\n");
END
		(cd "$work" && gcc -g -nostdlib -static -fno-pie -no-pie -mcmodel=kernel -Wl,--build-id \
			-Wl,-e,0,-Ttext=0xffffffff81000000,--section-start=.rodata=0xffffffff82000000 \
			types.c -o debug)
}

test_types_of_a_debug_package() {
	command -v gcc > /dev/null && command -v pahole > /dev/null || return 4
	[ "$(uname -m)" = x86_64 ] || return 4
	make_debug_image && run_ok symbols --vmlinux "$work/debug" -o "$work/debug.json" &&
		made check 4.18 "$work/debug.json" && python3 - "$work/debug.json" << 'END' || return
import json, sys
types = json.load(open(sys.argv[1]))
task = types["user_types"]["task_struct"]
at = {name: field["offset"] for name, field in task["fields"].items()}
assert at == {"pid": 0, "comm": 4, "tasks": 24, "low": 40, "high": 40, "side": 48,
              "state": 56}, at
assert task["size"] == 64 and types["user_types"]["list_head"]["size"] == 16
high = task["fields"]["high"]["type"]
assert (high["bit_position"], high["bit_length"]) == (3, 9), high
assert types["enums"]["state"]["constants"] == {"IDLE": 0, "GONE": -2}
END
	mkdir -p "$work/usr/lib/debug" && cp "$work/debug" "$work/usr/lib/debug/vmlinux-6.6" &&
		tar -C "$work" -cf "$work/debug.tar" usr &&
		run_ok symbols --package "$work/debug.tar" -o "$work/tar.json" &&
		is same "$work/debug.json" "$work/tar.json" || return
	# without pahole, and without any types
	! PATH=$work "$tool" symbols --vmlinux "$work/debug" -o "$work/x" 2> "$work/stderr" &&
		grep -q "install pahole" "$work/stderr" || return
	strip -g "$work/debug" && run_fail 1 "has no types: .* --vmlinux" symbols \
		--vmlinux "$work/debug" && [ ! -e "$work/x" ]
}

# pahole ENDS: in its place, a program that tells its limits and ends so
pahole() {
	mkdir -p "$work/bin" && install -m 755 /dev/stdin "$work/bin/pahole" << END
#!/bin/sh
echo "\$(ulimit -t) \$(ulimit -v) \$(ulimit -c)" > "$work/limits"
$1
END
}

test_pahole_has_limits() {
	command -v gcc > /dev/null && [ "$(uname -m)" = x86_64 ] || return 4
	make_debug_image && (
		PATH=$work/bin:$PATH
		pahole 'kill -s XCPU $$' &&
			run_fail 1 "within 600 s of CPU time" symbols --vmlinux "$work/debug" &&
			echo "600 $((16 << 20)) 0" | diff - "$work/limits" || exit
		ulimit -t 500 && ulimit -v 3000000 && pahole 'exit 1' &&
			run_fail 1 "has 500 s of CPU time and 2929 MiB" symbols --vmlinux "$work/debug" &&
			echo "500 3000000 0" | diff - "$work/limits"
	)
}

# Behind banners that are only copies, one of them as the program that unpacks the kernel
# leaves it: not far from the tables, but not where they say. Not at a multiple of 8, either.
test_memory_of_a_machine() {
	local image
	image=$(images | head -n 1)
	command -v objcopy > /dev/null && [ -n "$image" ] || return 4
	is unpack "$image" "$work/vmlinux" &&
		objcopy -O binary "$work/vmlinux" "$work/flat" &&
		run_ok symbols --vmlinuz "$image" -o "$work/image.json" &&
		python3 - "$work" << 'END' || return
import sys
flat = bytearray(open(sys.argv[1] + "/flat", "rb").read())
at = flat.index(b"Linux version 6")
banner = flat[at:flat.index(b"\0", at)]
flat[at - 300000:at - 300000 + len(banner)] = banner
with open(sys.argv[1] + "/memory", "wb") as f:
    f.write(b"Linux version 6.1 (a copy)\n\0")
    f.seek(300 << 20)
    f.write(b"odd")
    f.write(flat)
with open(sys.argv[1] + "/none", "wb") as f:
    f.write(b"Linux version 6.1 (a copy)\n\0")
    f.write(flat[:at - 300000])
END
	run_ok symbols --from-memory "$work/memory" -o "$work/memory.json" &&
		is same "$work/image.json" "$work/memory.json" &&
		run_fail 1 "has no kernel of x86-64" symbols --from-memory "$work/none" &&
		run_fail 1 "is no regular file" symbols --from-memory /dev/null
}

# Symbols, and the image with what is behind it, read by its name, and as doca_apsh gives it: open.
test_code_of_both_kernels() {
	local image n=0
	for image in $(images); do
		run_ok code --vmlinuz "$image" -o "$work/code" && is unpack "$image" "$work/vmlinux" &&
			run_ok symbols --vmlinuz "$image" -o "$work/map.json" &&
			is code "$work/code" "$work/vmlinux" "$work/map.json" || return
		"$tool" code --vmlinuz /dev/stdin < "$image" > "$work/stdin" &&
			cmp "$work/code" "$work/stdin" || return
		n=$((n + 1))
	done
	[ $n -gt 0 ] || return 4
}

# Debug information is not in memory.
test_code_of_an_image_with_debug_information() {
	local image size
	image=$(images | head -n 1)
	command -v objcopy > /dev/null && [ -n "$image" ] || return 4
	head -c 64M /dev/zero > "$work/zeroes" && is unpack "$image" "$work/vmlinux" &&
		objcopy --add-section .debug_info="$work/zeroes" "$work/vmlinux" "$work/debug" &&
		run_ok code --vmlinux "$work/vmlinux" -o "$work/code" &&
		size=$(stat -c %s "$work/code") &&
		run_ok code --vmlinux "$work/debug" -o "$work/code" &&
		run_ok symbols --vmlinux "$work/vmlinux" -o "$work/map.json" &&
		is code "$work/code" "$work/debug" "$work/map.json" &&
		[ "$(stat -c %s "$work/code")" -le $((size + 4096)) ]
}

# Its header alone, of which App Shield says that.
test_code_of_what_is_damaged() {
	local form how
	made elf 7.0 "$work/elf" && run_ok code --vmlinux "$work/elf" -o "$work/code" &&
		! is_header "$work/code" || return
	for form in 7.0 arm64-7.0; do
		for how in lengthen repeat; do
			made elf $form "$work/elf" && made $how "$work/elf" &&
				run_ok code --vmlinux "$work/elf" -o "$work/code" &&
				is_header "$work/code" || { echo "# $how of $form"; return 1; }
		done
	done
	made flat arm64-6.12 "$work/flat" && run_ok code --vmlinuz "$work/flat" -o "$work/code" &&
		is_header "$work/code"
}

is_header() {
	[ "$(sed '1,/^$/d' "$1" | wc -c)" -eq 64 ]
}

test_code_of_what_is_no_kernel() {
	run_fail 2 "code needs --vmlinuz, --vmlinux or --package" code &&
		run_fail 1 "neither a bzImage, an image of arm64, nor an ELF file" code --vmlinuz /etc/passwd &&
		run_fail 1 "cannot open /nowhere: No such file" code --vmlinuz /nowhere &&
		run_fail 1 "cannot read $work: Is a directory" code --vmlinuz "$work"
}

test_a_map_is_called_after_its_kernel() {
	local image name
	image=$(images | head -n 1)
	[ -n "$image" ] || return 4
	cd "$work" && run_ok symbols --vmlinuz "$image" || return
	name=$(cat stdout)
	[[ $name =~ ^linux-${image#*vmlinuz-}-[0-9a-f]{12}\.json$ ]] && [ -s "$name" ] ||
		{ echo "# it is called $name"; return 1; }
}

test_all_of_a_kernel() {
	local image
	image=$(images | head -n 1)
	[ -n "$image" ] || return 4
	run_ok symbols --full --vmlinuz "$image" -o "$work/full.json" &&
		is schema "$work/full.json" &&
		[ "$(wc -c < "$work/full.json")" -gt 10000000 ]
}

# Its table may have functions only, and it may have been started from elsewhere.
test_the_running_kernel_is_its_image() {
	local image=/boot/vmlinuz-$(uname -r)
	[ -e "$image" ] && [ "$(id -u)" = 0 ] || return 4
	run_ok symbols -o "$work/running.json" &&
		run_ok symbols --vmlinuz "$image" -o "$work/image.json" &&
		is same "$work/running.json" "$work/image.json"
}

# KASLR has moved it by 32 MiB.
test_files_that_were_copied() {
	local image
	image=$(images | head -n 1)
	command -v objcopy > /dev/null && [ -n "$image" ] || return 4
	is unpack "$image" "$work/vmlinux" &&
		run_ok symbols --full --vmlinuz "$image" -o "$work/image.json" &&
		objcopy -O binary --only-section=.BTF "$work/vmlinux" "$work/btf" &&
		objcopy -O binary --only-section=.notes "$work/vmlinux" "$work/notes" &&
		python3 - "$work" << 'END' &&
import base64, json, sys
m = json.load(open(sys.argv[1] + "/image.json"))
with open(sys.argv[1] + "/kallsyms", "w") as f:
    for name, s in m["symbols"].items():
        at = s["address"]
        f.write(f"{at + (32 << 20 if at >> 31 else 0):016x} t {name}\n")
    f.write("ffffffffc0000000 t in_a_module\t[doca]\n")
text = base64.b64decode(m["symbols"]["linux_banner"]["constant_data"])[:-1]
open(sys.argv[1] + "/banner", "wb").write(text)
END
		run_ok symbols --full --btf "$work/btf" --kallsyms "$work/kallsyms" \
			--banner "$work/banner" --notes "$work/notes" \
			-o "$work/files.json" &&
		is same "$work/image.json" "$work/files.json"
}

test_hidden_addresses_are_an_error() {
	printf '%s\n' '0000000000000000 T _text' '0000000000000000 D init_task' \
		> "$work/kallsyms"
	run_fail 1 "kallsyms are 0: kernel.kptr_restrict hides them" symbols \
		--btf /dev/null --banner /proc/version --kallsyms "$work/kallsyms" ||
		return
	echo 'ffffffff81000000 T start' > "$work/kallsyms"
	run_fail 1 "has no symbol _text" symbols --btf /dev/null \
		--banner /proc/version --kallsyms "$work/kallsyms" || return
	echo 'ffffffff81001000 T _text' > "$work/kallsyms"
	run_fail 1 "where no kernel of x86-64 is" symbols --btf /dev/null \
		--banner /proc/version --kallsyms "$work/kallsyms" || return
	echo 'ffffffff81000000 T _text' > "$work/kallsyms"
	run_fail 1 "no symbol init_top_pgt: it needs CONFIG_KALLSYMS_ALL" symbols \
		--btf /dev/null --banner /proc/version --kallsyms "$work/kallsyms"
}

test_images_that_are_damaged() {
	local image
	image=$(images | head -n 1)
	[ -n "$image" ] || return 4
	run_fail 1 "neither a bzImage, an image of arm64, nor an ELF file" symbols --vmlinuz /dev/null &&
		head -c 100000 "$image" > "$work/cut" &&
		run_fail 1 "ends before the kernel in it" symbols --vmlinuz "$work/cut" &&
		cp "$image" "$work/bad" &&
		dd if=/dev/urandom of="$work/bad" bs=1k seek=2000 count=9 conv=notrunc \
			status=none &&
		run_fail 1 "cannot be unpacked: it is damaged" symbols \
			--vmlinuz "$work/bad" &&
		run_fail 1 "has no types" symbols --vmlinux /bin/true &&
		run_fail 1 "cannot open /nowhere: No such file" symbols --vmlinux /nowhere
}

test_regions() {
	cat > "$work/iomem" << 'END'
00000000-00000fff : Reserved
00001000-0009fbff : System RAM
00100000-bffdffff : System RAM
  02000000-02e01fff : Kernel code
  03000000-03ffffff : System RAM
e0000000-ffffffff : PCI Bus 0000:00
100000000-13fffffff : System RAM
END
	run_ok regions --iomem "$work/iomem" && python3 - "$work/stdout" << 'END' || return
import json, sys
r = json.load(open(sys.argv[1]))
assert r == {"allowed_regions": {
    "0": {"start": 0x1000, "length": 0x9ec00},
    "1": {"start": 0x100000, "length": 0xbfee0000},
    "2": {"start": 1 << 32, "length": 1 << 30}}}, r
END
	echo '00000000-00000000 : System RAM' > "$work/iomem"
	run_fail 1 "CAP_SYS_ADMIN" regions --iomem "$work/iomem" &&
		run_fail 1 "has no System RAM" regions --iomem /dev/null
}

# A note of an ELF file, as /proc/kcore has it.
test_page_table() {
	python3 - "$work/kcore" << 'END' || return
import struct, sys
info = (b"OSRELEASE=6.1.0\nSYMBOL(swapper_pg_dir)=ffffffffa2c22000\n"
        b"NUMBER(phys_base)=-16777216\nKERNELOFFSET=20000000\n")
note = struct.pack("<III", 11, len(info), 0) + b"VMCOREINFO\0\0" + info.ljust(
    (len(info) + 3) // 4 * 4, b"\0")
ehdr = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
    "<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
phdr = struct.pack("<IIQQQQQQ", 4, 0, 120, 0, 0, len(note), 0, 0)
open(sys.argv[1], "wb").write(ehdr + phdr + note)
END
	run_ok kpgd --kcore "$work/kcore" &&
		printf '0x21c22000\nkaslr=0x20000000\n' | cmp - "$work/stdout" &&
		run_fail 1 "is no ELF file" kpgd --kcore "$here/apsh_map.py" &&
		run_fail 1 "has no VMCOREINFO" kpgd --kcore /bin/true || return
	[ "$(id -u)" -ne 0 ] || chmod a+rx "$work"
	chmod 0 "$work/kcore"
	as_nobody kpgd --kcore "$work/kcore"
}

# Without privilege: it names the capability. Where the programs are may not be readable.
as_nobody() {
	local code nobody=
	[ "$(id -u)" -ne 0 ] ||
		nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	$nobody "$tool" --help > "$work/stdout" 2>&1 || return 4
	$nobody "$tool" "$@" > "$work/stdout" 2>&1
	code=$?
	[ $code -eq 1 ] && grep -q CAP_SYS_RAWIO "$work/stdout"
}

# Whether or not this kernel shows what else it needs.
test_all_makes_its_folder() {
	"$tool" all -d "$work/folders/that/are/made" > /dev/null 2>&1
	[ -d "$work/folders/that/are/made" ] &&
		run_fail 1 "cannot make" all -d /dev/null/none
}

test_hashes() {
	run_ok hash -f /bin/true && is hashes "$work/stdout" &&
		run_ok hash --file /bin/true /bin/ls && is hashes "$work/stdout" &&
		run_ok hash --pid $$ && is hashes "$work/stdout" &&
		grep -q '/bash"' "$work/stdout" && grep -q '/ld-' "$work/stdout" &&
		run_fail 1 "is no ELF file" hash -f /etc/passwd &&
		run_fail 1 "cannot open" hash --pid 2147483647
}

test_wrong_usage() {
	run_fail 2 "which command" &&
		run_fail 2 "is no command" bogus &&
		run_fail 2 "hash needs --pid, or --file" hash &&
		run_fail 2 "hash needs --pid, or --file" hash -p 1 -f /bin/true &&
		run_fail 2 "not a number from 1" hash -p 0 &&
		run_fail 2 "all needs --dir" all &&
		run_fail 2 "all needs --dir" kpgd -d /tmp &&
		run_fail 2 "go together" symbols --btf /dev/null &&
		run_fail 2 "has all" symbols --btf /dev/null --vmlinuz /dev/null &&
		run_fail 2 "one image at a time" symbols --vmlinux a --vmlinuz b &&
		run_fail 2 "one image at a time" symbols --package a --from-memory b &&
		run_fail 2 "are for symbols and code only" regions --vmlinuz b &&
		run_fail 2 "Files are for hash only" symbols x
}

test_a_file_is_replaced_whole() {
	echo old > "$work/old"
	run_fail 1 "cannot" regions --iomem /nowhere -o "$work/old" &&
		[ "$(cat "$work/old")" = old ] &&
		run_fail 1 "cannot write /nowhere/x" hash -f /bin/true -o /nowhere/x
}

# As on a disk that is full.
test_nothing_is_left_of_a_file_that_cannot_be_written() {
	mkdir "$work/full" || return
	(
		trap '' XFSZ
		ulimit -f 1
		"$tool" hash -f /bin/bash -o "$work/full/hash" 2> "$work/stderr"
	)
	[ $? -eq 1 ] && grep -q "cannot write $work/full/hash: File too large" "$work/stderr" ||
		{ sed 's/^/# /' "$work/stderr"; return 1; }
	[ -z "$(ls -A "$work/full")" ] || { ls -A "$work/full" | sed 's/^/# /'; return 1; }
}

# In a machine that is emulated, beside the module, only what is about that machine.
if [ -d /sys/module/doca ]; then
	ktap_all test_the_running_kernel_is_its_image test_hashes
fi
ktap_all
