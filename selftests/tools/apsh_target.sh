#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# doca_apsh target: the files that it writes, and what it asks QEMU, which is played here.
# No driver is needed.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes
tool_find doca_apsh
export DOCA_TARGETS_DIR="$work/targets"

# $1: type of the backends, and words: "two" backends, files in a "folder", a "relative" path,
# "closed": none is open any more, "moved": mapped elsewhere, "shifted": not at the beginning of
# its file, "wrong": answers of other types, "events": and nothing else, "gone": it does not listen;
# $2: whether they are shared, $3: lines of the address space
qemu() {
	rm -f "$work/qmp" "$work/qmp.new"
	python3 - "$work" "$@" << 'END' &
import ctypes, json, mmap, os, socket, sys
work, kind, share, tree = sys.argv[1:]
os.chdir(work)
s = socket.socket(socket.AF_UNIX)
s.bind(work + "/qmp.new")
s.listen()
os.rename(work + "/qmp.new", work + "/qmp")
path = work + "/folder" if "folder" in kind else work + "/memory"
ids = ["ram", "more"] if "two" in kind else ["ram"]
def make(id):
    if "folder" not in kind:
        return os.memfd_create("memory-backend-memfd")
    # a file that loses its name
    made = f"{path}/qemu_back_mem.{id}.aB3dEf"
    fd = os.open(made, os.O_RDWR | os.O_CREAT)
    os.unlink(made)
    return fd
memory = []
for id in ids:
    os.dup(make(id))  # of another machine, say
    fd = make(id)
    os.ftruncate(fd, 1 << 20)
    memory.append(mmap.mmap(fd, 1 << 20))
    if "closed" in kind:
        for one in os.listdir("/proc/self/fd"):
            if int(one) > 2 and int(one) != s.fileno():
                try:
                    os.close(int(one))
                except OSError:
                    pass  # that of the list
def where(gpa):
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory[gpa != 0]))
    return f"Host virtual address for {gpa:#x} (ram) is {at + 4096 * ('moved' in kind):#x}\r\n"
if "relative" in kind:
    path = os.path.relpath(path)
c = s.accept()[0]
if kind == "gone":
    c.shutdown(socket.SHUT_RD)
c = c.makefile("rw")
def send(*what):
    c.write("".join(json.dumps(one) + "\r\n" for one in what))
    c.flush()
send({"QMP": {"version": {}}})
def lines():
    try:
        yield from c
    except ConnectionResetError:
        pass  # who asked last does not wait for the answer
for line in lines():
    ask = json.loads(line)
    send({"event": "RESUME", "timestamp": {}})
    args = ask.get("arguments", {})
    answer = {}
    with open(work + "/asked", "a") as asked:
        print(ask["execute"], file=asked)
    if ask["execute"] == "query-memdev":
        answer = [{"id": id, "share": share == "yes"} for id in ids]
        answer.append({"id": "other", "share": False})
    elif ask["execute"] == "query-status":
        answer = {"running": not os.path.exists(work + "/stopped")}
    elif ask["execute"] == "human-monitor-command":
        words = args["command-line"].split()
        answer = where(int(words[1], 16)) if words[0] == "gpa2hva" else tree
        if words[0] == "gpa2hva" and "unmapped" in kind:
            answer = "No memory is mapped at address 0x0"
    elif ask["execute"] == "qom-get":
        assert args["path"] in [f"/objects/{id}" for id in ids]
        answer = {"type": kind.split()[0], "mem-path": path, "offset": 4096}[args["property"]]
    elif ask["execute"] == "qom-list":
        answer = [{"name": "offset", "type": "int"}] if "shifted" in kind else []
    if "wrong" in kind and ask["execute"] == kind.split()[-1]:
        answer = None
    if "events" in kind and ask["execute"] == "query-memdev":
        try:
            while True:
                send({"event": "STOP", "timestamp": {}})
        except BrokenPipeError:
            os._exit(0)
    # one right behind an answer is read together with it
    send({"return": answer}, {"event": "STOP", "timestamp": {}})
END
	machine=$!
	await_file "$work/qmp" $machine
}

tree='FlatView #0
 AS "I/O", root: io
 Root memory region: io
  0000000000000000-0000000000000007 (prio 0, i/o): dma-chan
FlatView #1
 AS "memory", root: system
 AS "cpu-memory-0", root: system
 Root memory region: system
  0000000000000000-00000000000bffff (prio 0, ram): ram
  00000000000c0000-00000000000dffff (prio 1, rom): ram @00000000000c0000
  00000000000e0000-00000000000fffff (prio 1, rom): pc.bios
  0000000000100000-00000000afffffff (prio 0, ram): ram @0000000000100000 KVM
  00000000fec00000-00000000fec00fff (prio 0, i/o): ioapic
  0000000100000000-000000014fffffff (prio 0, ram): ram @00000000b0000000
FlatView #2
 AS "smm", root: smm
  0000000000000000-000000000009ffff (prio 0, ram): ram
'

# A machine "virt" of arm64 has its memory from 1 GiB on.
virt='FlatView #0
 AS "gpex-root", root: bus master container
 Root memory region: (none)
FlatView #1
 AS "memory", root: system
 AS "cpu-memory-0", root: system
 Root memory region: system
  0000000000000000-0000000003ffffff (prio 0, romd): virt.flash0
  0000000008000000-000000000800ffff (prio 0, i/o): gicv3_dist
  0000000040000000-000000007fffffff (prio 0, ram): ram
'

# A look that fails, at memory that has no kernel.
look_paused() {
	: > "$work/asked"
	run_fail 1 "" -t vm --pause -m "$work/regions" -o "$work/map" ps
	wait $machine
	tr '\n' ' ' < "$work/asked" > "$work/asked_all"
}

was_asked() {
	[ "$(cat "$work/asked_all")" = "$1" ] || {
		echo "# asked: $(cat "$work/asked_all")"
		return 1
	}
}

test_a_machine_is_stopped_while_it_is_looked_at() {
	touch "$work/memory"
	qemu memory-backend-file yes "$tree"
	run_ok target add vm --vuid V1 --qmp "$work/qmp" || return
	qemu memory-backend-file yes "$tree"
	look_paused
	was_asked "qmp_capabilities query-status stop cont " || return
	# one that was stopped before stays so
	touch "$work/stopped"
	qemu memory-backend-file yes "$tree"
	look_paused
	rm "$work/stopped"
	was_asked "qmp_capabilities query-status " || return
	# with an image to unpack it is stopped late, so here, where no kernel is found, not at all
	qemu memory-backend-file yes "$tree"
	: > "$work/asked"
	run_fail 1 "" -t vm --pause --image /etc/passwd -m "$work/regions" -o "$work/map" check
	kill $machine
	run_ok target del vm && [ ! -s "$work/asked" ]
}

test_a_machine_of_qemu() {
	touch "$work/memory"
	qemu memory-backend-file yes "$tree"
	run_ok target add vm --vuid V1 --qmp "$work/qmp" || return
	python3 - "$work" << 'END' && run_ok target show vm && \
		grep -q "^region  0x100000000 + 0x50000000 at 0xb0000000$" "$work/stdout"
import json, os, sys
work = sys.argv[1]
got = json.load(open(work + "/targets/vm.json"))
assert got == {"vuid": "V1", "device": "any", "qmp": work + "/qmp",
               "memory": {"file": work + "/memory", "format": "raw"},
               "regions": [{"gpa": 0, "offset": 0, "length": 0xc0000},
                           {"gpa": 0xc0000, "offset": 0xc0000, "length": 0x20000},
                           {"gpa": 1 << 20, "offset": 1 << 20, "length": 0xaff00000},
                           {"gpa": 1 << 32, "offset": 0xb0000000, "length": 0x50000000}]}, got
END
}

test_a_machine_whose_memory_begins_at_a_gib() {
	touch "$work/memory"
	qemu memory-backend-file yes "$virt"
	run_ok target add arm --vuid V3 --qmp "$work/qmp" && run_ok target show arm &&
		grep -q "^region  0x40000000 + 0x40000000 at 0$" "$work/stdout" &&
		run_ok target del arm
}

test_memory_that_is_a_memfd() {
	qemu memory-backend-memfd yes "$tree"
	run_ok target add fd --vuid V2 --qmp "$work/qmp" &&
		run_ok target show fd && grep -q "^memory  memfd [0-9]* of process" "$work/stdout"
}

# QEMU makes the file, as for huge pages of libvirt.
test_memory_in_a_folder() {
	mkdir -p "$work/folder"
	qemu "memory-backend-file in folder" yes "$tree"
	run_ok target add in --vuid V5 --qmp "$work/qmp" &&
		run_ok target show in &&
		grep -q "^memory  memfd [0-9]* of process $machine$" "$work/stdout"
}

# As nodes of NUMA have them. No name tells one from the other.
test_memory_of_several_backends() {
	local more
	more="${tree/%FlatView #2*/  0000000150000000-000000018fffffff (prio 0, ram): more
FlatView #2
}"
	qemu "memory-backend-memfd two" yes "$more"
	run_ok target add nodes --vuid V6 --qmp "$work/qmp" || return
	python3 - "$work" "$machine" << 'END' && run_ok target show nodes &&
import json, sys
work, machine = sys.argv[1:]
got = json.load(open(work + "/targets/nodes.json"))
fds = [part["memfd"]["fd"] for part in got["memory"]["parts"]]
assert fds[0] != fds[1] and list(got["memory"]) == ["parts"], got
assert [part["memfd"]["pid"] for part in got["memory"]["parts"]] == [int(machine)] * 2, got
assert [region["part"] for region in got["regions"]] == [0, 0, 0, 0, 1], got
assert got["regions"][4] == {"gpa": 0x150000000, "offset": 0, "length": 1 << 30, "part": 1}, got
END
		grep -q "^memory  2 parts$" "$work/stdout" &&
		grep -q "^part 1  memfd [0-9]* of process $machine$" "$work/stdout" &&
		grep -q "^region  0x150000000 + 0x40000000 at 0 of part 1$" "$work/stdout" || return
	touch "$work/memory"
	qemu "memory-backend-file two" yes "$more"
	run_ok target add files --vuid V7 --qmp "$work/qmp" &&
		grep -q "\"file\": *\"$work/memory\"" "$DOCA_TARGETS_DIR/files.json" &&
		run_ok target del nodes && run_ok target del files
}

# QEMU can have several in one file.
test_memory_that_begins_inside_its_file() {
	touch "$work/memory"
	qemu "memory-backend-file shifted" yes "$tree"
	run_ok target add inside --vuid V8 --qmp "$work/qmp" && run_ok target show inside &&
		grep -q "^region  0 + 0xc0000 at 0x1000$" "$work/stdout" &&
		grep -q "^region  0x100000000 + 0x50000000 at 0xb0001000$" "$work/stdout" &&
		run_ok target del inside
}

test_a_monitor_that_answers_nonsense() {
	qemu "memory-backend-memfd wrong query-memdev" yes "$tree"
	run_fail 1 "does not answer query-memdev by a list" target add bad --vuid V3 \
		--qmp "$work/qmp" || return
	qemu "memory-backend-memfd wrong human-monitor-command" yes "$tree"
	run_fail 1 "does not answer 'info mtree -f' by a text" target add bad --vuid V3 \
		--qmp "$work/qmp" || return
	qemu "memory-backend-memfd events" yes "$tree"
	run_fail 1 "answers nothing but events" target add bad --vuid V3 --qmp "$work/qmp" &&
		[ ! -e "$DOCA_TARGETS_DIR/bad.json" ]
}

# The monitor says where memory is mapped, and the system what is mapped there.
test_memory_that_cannot_be_found() {
	qemu "memory-backend-memfd moved" yes "$tree"
	run_fail 1 "has byte 0x1000 of /memfd:memory-backend-memfd (deleted) at 0x" target add bad \
		--vuid V3 --qmp "$work/qmp" || return
	qemu "memory-backend-memfd closed" yes "$tree"
	run_fail 1 "does not have it open any more" target add bad --vuid V3 \
		--qmp "$work/qmp" || return
	qemu "memory-backend-memfd unmapped" yes "$tree"
	run_fail 1 "it answers 'No memory is mapped" target add bad --vuid V3 \
		--qmp "$work/qmp" && [ ! -e "$DOCA_TARGETS_DIR/bad.json" ]
}

# QEMU has opened it where QEMU was, which is not where the tool is.
test_a_path_that_is_not_absolute() {
	touch "$work/memory"
	qemu "memory-backend-file relative" yes "$tree"
	run_ok target add near --vuid N1 --qmp "$work/qmp" &&
		grep -q "\"file\": *\"$work/memory\"" "$DOCA_TARGETS_DIR/near.json" || return
	rm -rf "$work/folder" && mkdir "$work/folder" || return
	qemu "memory-backend-file in folder relative" yes "$tree"
	run_ok target add far --vuid N2 --qmp "$work/qmp" && run_ok target show far &&
		grep -q "^memory  memfd [0-9]* of process $machine$" "$work/stdout" &&
		run_ok target del near && run_ok target del far
}

# $1: UUID of QEMU, which is a process with a memfd here
libvirt() {
	mkdir -p "$work/bin"
	cat > "$work/bin/virsh" << 'END'
#!/usr/bin/env python3
import json, os, sys
folder = os.path.dirname(os.path.dirname(os.path.realpath(sys.argv[0])))
uuid = "00000000-aaaa-0000-0000-00000000000b"
assert not sys.stdin.read()
if sys.argv[1:] == ["domname", "--domain", uuid]:
    print("its name\n")
    sys.exit()
assert sys.argv[1::3] == ["qemu-monitor-command", "--cmd"], sys.argv
if sys.argv[3].lower() not in ("its name", "5", uuid):
    sys.exit(f"error: failed to get domain '{sys.argv[3]}'")
ask = json.loads(sys.argv[5])
if os.path.exists(f"{folder}/broken"):
    print("what is this?")
    sys.exit()
if ask["execute"] == "query-memdev":
    answer = [{"id": "pc.ram", "share": True}]
elif ask["execute"] == "human-monitor-command":
    name = ask["arguments"]["command-line"].split()[0]
    with open(f"{folder}/{'where' if name == 'gpa2hva' else 'tree'}") as f:
        answer = f.read()
elif ask["execute"] == "qom-get":
    is_file = os.path.exists(f"{folder}/is_file")
    answer = {"type": f"memory-backend-{'file' if is_file else 'memfd'}",
              "mem-path": f"{folder}/memory"}[ask["arguments"]["property"]]
elif ask["execute"] == "query-uuid":
    answer = {"UUID": uuid}
elif ask["execute"] == "qom-list":
    answer = []
print(json.dumps({"return": answer, "id": "libvirt-7"}))
END
	chmod +x "$work/bin/virsh"
	echo "${tree//: ram/: pc.ram}" > "$work/tree"
	python3 -c "
import ctypes, mmap, os, time
fd = os.memfd_create('memory-backend-memfd')
os.ftruncate(fd, 4096)
memory = mmap.mmap(fd, 4096)
with open('$work/where', 'w') as f:
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    f.write(f'Host virtual address for 0x0 (pc.ram) is {at:#x}')
open('$work/up', 'w').close()
time.sleep(3600)" -name x -uuid "$1" &
	machine=$!
	await_file "$work/up" $machine
	rm "$work/up"
}

test_a_machine_of_libvirt() {
	local PATH="$work/bin:$PATH"
	libvirt 00000000-AAAA-0000-0000-00000000000b
	run_ok target add lv --vuid L1 --domain "its name"
	local added=$?
	run_fail 1 "virsh cannot ask the monitor of other" target add bad --vuid L2 --domain other ||
		added=1
	touch "$work/broken"
	run_fail 1 "virsh has no answer of QEMU's monitor" target add bad --vuid L2 \
		--domain "its name" || added=1
	rm "$work/broken"
	run_fail 1 "5 is the number of another machine, 'its name': name it by its UUID" \
		target add bad --vuid L2 --domain 5 || added=1
	run_ok target add lv5 --vuid L2 --domain 00000000-AAAA-0000-0000-00000000000b &&
		run_ok target del lv5 || added=1
	# of the same name, as on another machine
	touch "$work/is_file" "$work/memory"
	run_fail 1 "memory is not the file of that name which process $machine has" \
		target add bad --vuid L2 --domain "its name" || added=1
	rm "$work/is_file"
	kill "$machine"
	wait "$machine"
	[ $added -eq 0 ] && run_ok target show lv &&
		grep -q "^memory  memfd [0-9]* of process $machine$" "$work/stdout" &&
		grep -q "^region  0x100000000 + 0x50000000 at 0xb0000000$" "$work/stdout" &&
		! grep -q "^qmp" "$work/stdout" &&
		run_fail 1 "target lv has no monitor" -t lv --pause -m x -o y ps &&
		run_fail 1 "no process here has the UUID of its name" target add bad --vuid L2 \
			--domain "its name" && run_ok target del lv || return
	! PATH="$work/none" "$tool" target add bad --vuid L2 --domain x 2> "$work/stderr" &&
		grep -q "cannot run virsh: .*libvirt-clients" "$work/stderr" &&
		[ ! -e "$DOCA_TARGETS_DIR/bad.json" ]
}

test_memory_that_cannot_be_read() {
	qemu memory-backend-file no "$tree"
	run_fail 1 "ram is not shared: start QEMU with share=on" target add bad \
		--vuid V3 --qmp "$work/qmp" || return
	qemu memory-backend-ram yes "$tree"
	run_fail 1 "is of type memory-backend-ram" target add bad --vuid V3 \
		--qmp "$work/qmp" || return
	qemu gone yes "$tree"
	run_fail 1 "cannot write to $work/qmp: Broken pipe" target add bad --vuid V3 \
		--qmp "$work/qmp" || return
	qemu memory-backend-file yes "FlatView #0"
	run_fail 1 "has no memory backend: start QEMU with" target add bad --vuid V3 \
		--qmp "$work/qmp" &&
		run_fail 1 "cannot connect to /nowhere" target add bad --vuid V3 \
			--qmp /nowhere && [ ! -e "$DOCA_TARGETS_DIR/bad.json" ]
}

test_other_memory() {
	run_fail 1 "image: No such file" target add image --vuid I --file "$work/image" || return
	touch "$work/image"
	run_ok target add image --vuid I --device rxe0 --file "$work/image" --format lime &&
		run_ok target add here --vuid H --kcore &&
		run_ok target add peer --vuid P --function local &&
		run_ok target show && grep -q "^image  *I  *rxe0  *file $work/image$" "$work/stdout" &&
		grep -q "^here  *H  *any  *kcore$" "$work/stdout" &&
		run_ok target del here && run_ok target show && ! grep -q "^here" "$work/stdout"
}

# The memory of a machine that runs begins with what that machine writes there.
test_the_format_of_a_file_is_not_left_to_the_file() {
	printf '\177ELF and then nothing' > "$work/ram"
	echo '[{"start": 0, "length": 1048576}]' > "$work/regions"
	set -- -m "$work/regions" -o "$work/map" ps
	run_ok target add ram --vuid R --file "$work/ram" && run_ok target show ram &&
		grep -q "^format  raw$" "$work/stdout" &&
		grep -q '"format": *"raw"' "$DOCA_TARGETS_DIR/ram.json" &&
		run_fail 1 "ram begins as elf does, and is read as raw" -t ram "$@" &&
		! grep -q "no ELF core" "$work/stderr" && run_ok target del ram || return
	run_fail 1 "no ELF core" --file "$work/ram" "$@" &&
		run_fail 1 "no header of LiME" --file "$work/ram" --format lime "$@" &&
		run_fail 1 "begins as elf does, and is read as raw" --file "$work/ram" \
			--format raw "$@" && ! grep -q "no ELF core" "$work/stderr" || return
	run_ok target add ram --vuid R --file "$work/ram" --format auto &&
		run_fail 1 "no ELF core" -t ram "$@" && run_ok target del ram || return
	run_fail 2 "'x' is no format; it is one of auto, raw, lime, elf, kdump or qevm" \
		--file "$work/ram" --format x "$@" &&
		run_fail 2 "--format is of a --file" -t ram --format raw "$@"
}

# A target that would be left out of lists is not written.
test_what_is_wrong_leaves_no_file() {
	run_fail 1 "\"vuid\" has a blank" target add bad --vuid "a b" --kcore &&
		run_fail 1 "\"format\" is not auto" target add bad --vuid B \
			--file "$work/image" --format x &&
		[ ! -e "$DOCA_TARGETS_DIR/bad.json" ] &&
		run_fail 1 "is there: 'target del peer' removes it" target add peer \
			--vuid P --kcore &&
		run_fail 1 "cannot remove .*No such file" target del here &&
		run_fail 1 "there is no target here" target show here
}

# The one that is below the limit must be free, whatever the caller has left open.
with_one_descriptor() {
	prlimit --nofile=4 "$tool" "$@" 2> "$work/stderr" 3>&-
}

# A target that cannot be read again is not written: one descriptor is too few to list targets.
test_what_cannot_be_verified_leaves_no_file() {
	! with_one_descriptor target add few --vuid F --kcore &&
		grep -q "EMFILE" "$work/stderr" &&
		[ ! -e "$DOCA_TARGETS_DIR/few.json" ] || return
	! with_one_descriptor target show few && ! grep -q "there is no target" "$work/stderr"
}

test_a_target_is_found_by_its_vuid() {
	touch "$work/memory"
	run_ok target add by --vuid V9 --file "$work/memory" || return
	run_fail 1 "$work/memory is empty\|$work/regions" --vuid V9 -m "$work/regions" \
		-o "$work/map" ps &&
		run_fail 1 "V8" --vuid V8 -m "$work/regions" -o "$work/map" ps &&
		run_fail 2 "one of --file, --target and --vuid" --vuid V9 -t by \
			-m "$work/regions" -o "$work/map" ps || return
	run_ok target del by
}

# As root, too, for whom no file is closed otherwise.
run_without_rights() {
	local setpriv=()
	[ "$(id -u)" -ne 0 ] || setpriv=(setpriv --bounding-set "-dac_override,-dac_read_search")
	"${setpriv[@]}" "$tool" "$@" > "$work/stdout" 2> "$work/stderr" < /dev/null
}

# The memory is looked at, opened to be read, and nothing else is done with it.
only_reads() {
	strace -f -y -o "$work/calls" "$tool" "$@" > /dev/null 2>&1
	grep "$work/ram" "$work/calls" > "$work/of_memory"
	grep -q 'openat(.*/ram", O_RDONLY|O_CLOEXEC|O_PATH)' "$work/of_memory" &&
		grep -q 'openat(.*/proc/self/fd/.*, O_RDONLY|O_NONBLOCK|O_CLOEXEC)' "$work/of_memory" ||
		return
	! grep -vE '^[0-9]+ +(execve|openat|newfstatat|fstat|lseek|pread64|preadv2|close)\(' \
		"$work/of_memory" || return
	[ "$(grep -c 'openat(' "$work/of_memory")" -eq 2 ]
}

# Each says what to do about it.
test_mistakes() {
	local kernel
	kernel=$(find /boot -name 'vmlinuz-*' | sort | head -n 1)
	[ -n "$kernel" ] && command -v strace > /dev/null || return 4
	echo '[{"start": 0, "length": 1048576}]' > "$work/regions"
	"${tool}_map" symbols --vmlinuz "$kernel" -o "$work/map" || return
	set -- --file "$work/ram" -m "$work/regions" -o "$work/map" ps
	rm -f "$work/ram"
	run_fail 1 "No such file or directory; is the machine on" "$@" || return
	truncate -s 1M "$work/ram"
	run_fail 1 "was QEMU started with share=on" "$@" || return
	head -c 1M /dev/urandom > "$work/ram"
	run_fail 1 "the target may run another one, of which doca_apsh_map makes a map" "$@" ||
		return
	only_reads "$@" || return
	chmod 0 "$work/ram"
	! run_without_rights "$@" &&
		grep -q "Permission denied; become root" "$work/stderr" || return
	rm -f "$work/ram" "$work/map"
}

test_a_target_has_a_folder() {
	truncate -s 1M "$work/memory"
	run_ok target add own --vuid OWN --file "$work/memory" || return
	run_fail 1 "targets/own/mem_regions.json: No such file" -t own ps || return
	mkdir "$DOCA_TARGETS_DIR/own"
	echo '[{"start": 0, "length": 1048576}]' > "$DOCA_TARGETS_DIR/own/mem_regions.json"
	run_fail 1 "targets/own/symbols.json: No such file" -t own ps &&
		run_fail 1 "/nowhere" -t own --maps /nowhere ps &&
		run_fail 2 "say what may be read" --file "$work/memory" ps &&
		run_fail 2 "say which symbols" --file "$work/memory" -m a ps &&
		run_fail 2 "say which symbols" -t own -m a -o b --maps c ps &&
		run_ok target del own || return
	DOCA_TARGETS_DIR="$work/folders/that/are" run_ok target add made --vuid M \
		--file "$work/memory" && [ -e "$work/folders/that/are/made.json" ] &&
		DOCA_TARGETS_DIR="$work/memory/none" run_fail 1 "cannot make" target add none \
			--vuid N --file "$work/memory"
}

test_wrong_usage() {
	run_fail 2 "which command" target &&
		run_fail 2 "is no command" target x &&
		run_fail 2 "a name is missing" target add &&
		run_fail 2 "a name is missing" target del &&
		run_fail 2 "is no name" target add ../x --vuid V --kcore &&
		run_fail 2 "is no name" target add .x --vuid V --kcore &&
		run_fail 2 "vuid is missing" target add x --kcore &&
		run_fail 2 "which memory" target add x --vuid V &&
		run_fail 2 "which memory" target add x --vuid V --kcore --file /a &&
		run_fail 2 "is of a --file" target add x --vuid V --kcore --format raw &&
		run_fail 2 "takes no options" target show --kcore &&
		run_fail 2 "a condition is NAME=TEXT" --where pid ps &&
		run_fail 2 "--columns: a name is missing" --columns pid, ps &&
		run_fail 2 "--json and --csv are two forms" --json --csv ps &&
		run_fail 2 "record prints no rows" --csv record "$work/core" &&
		run_fail 2 "record prints no rows" --columns pid record "$work/core" &&
		run_fail 2 "record prints no rows" --where pid=1 record "$work/core" &&
		run_fail 2 "image is for check only" -f a -m b -o c --image d ps &&
		run_fail 2 "is no kind; it is one of process, " -f a -m b -o c check nonsense &&
		run_fail 2 "check: there are too many arguments" -f a -m b -o c check hook code &&
		run_fail 2 "unexpected argument 'y'" target show x y
}

# In this order, for one uses what another has made.
tests=$(sed -n 's/^\(test_[a-z_]*\)() {$/\1/p' "$0")
# shellcheck disable=SC2086
ktap_plan $(echo $tests | wc -w)
for test in $tests; do
	ktap_test "${test#test_}" "$test"
done
ktap_end
