#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Play what golden.py looks at from outside, and say what /proc has of it.

    stage.py DIR BUILD  in a guest, as root: writes DIR/a.json, what doca_apsh sees in
                        /proc/kcore with DIR/map.json (DIR/kcore.json), and DIR/ready;
                        waits for DIR/go, writes DIR/b.json, changes one byte of code of a
                        process, and writes its PID to DIR/changed

BUILD has doca_apsh, and doca_apsh_map, which says what code there should be; where it is not there,
somebody else has to say that.

A listing has rows of each command of doca_apsh, with the same names. None is what nobody
can know from here.
"""

import ctypes
import hashlib
import json
import mmap
import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_NAME = 15
CAPS = ("CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP "
        "LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER "
        "SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE "
        "SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP "
        "MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF "
        "CHECKPOINT_RESTORE").split()
CONTAINER = "0123456789abcdef" * 4
# Control groups by the names of containers in them.
CONTAINERS = {CONTAINER: f"docker-{CONTAINER}.scope", "fedcba9876543210" * 4:
              f"system.slice/nerdctl-{'fedcba9876543210' * 4}.scope",
              "from-containerd": "default/from-containerd", "of-lxc": "lxc.payload.of-lxc/init",
              "my-machine": r"machine.slice/machine-my\x2dmachine.scope/payload",
              "0f1e2d3c": "garden/good/0f1e2d3c", "task-1": "ecs/task/task-1",
              "docker-strange.scope": "docker-strange.scope"}
KEEP = []  # objects that are to live


def child(role):
    """A process that does something, and then sleeps; it is named after that."""
    pid = os.fork()
    if pid:
        return pid
    LIBC.prctl(PR_SET_NAME, role.__name__.encode(), 0, 0, 0)
    role()
    while True:
        time.sleep(3600)


def threads():
    def named(i):
        LIBC.prctl(PR_SET_NAME, f"thread-{i}".encode(), 0, 0, 0)
        time.sleep(3600)
    for i in range(20):
        threading.Thread(target=named, args=(i,), daemon=True).start()


def mapper():
    with tempfile.NamedTemporaryFile(prefix="gone-") as f:
        f.truncate(3 * 4096)
        KEEP.append(mmap.mmap(f.fileno(), 3 * 4096))
    whole = os.memfd_create("whole")
    os.write(whole, bytes(range(256)) * 500)
    fd = os.memfd_create("a memfd")
    os.truncate(fd, 8192)
    KEEP.append(mmap.mmap(fd, 8192))
    for i in range(200):  # more than one node of a tree
        KEEP.append(mmap.mmap(-1, 4096, prot=mmap.PROT_READ if i % 2 else mmap.PROT_WRITE))


def injected():
    """Three pages that may be executed: with a header, empty, and with code."""
    code = mmap.mmap(-1, 3 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
                     mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code[:4] = b"\x7fELF"
    code[2 * 4096] = 0xc3
    KEEP.append(code)


def sockets():
    # what waits for its end does so for as long as anybody looks
    with open("/proc/sys/net/ipv4/tcp_fin_timeout", "w", encoding="ascii") as f:
        f.write("86400")
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        listener = socket.create_server((host, 0), family=family)
        client = socket.create_connection(listener.getsockname()[:2])
        KEEP.extend((listener, client, listener.accept()[0]))
        udp = socket.socket(family, socket.SOCK_DGRAM)
        udp.bind((host, 0))
        peer = socket.socket(family, socket.SOCK_DGRAM)
        peer.connect(udp.getsockname()[:2])
        KEEP.extend((udp, peer))
        # one that waits for its end, and the end of one that the other has not closed
        for last in (True, False):
            gone = socket.create_connection(listener.getsockname()[:2])
            other = listener.accept()[0]
            gone.close()
            if last:
                other.close()
            else:
                KEEP.append(other)
    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    unix = socket.socket(socket.AF_UNIX)
    unix.bind("\0abstract")
    unix.listen()
    packets = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    packets.bind(tempfile.mktemp(prefix="socket-"))
    KEEP.extend((raw, unix, packets, *socket.socketpair()))


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def mounter():
    """It has mounts of its own."""
    LIBC.unshare(0x20000)  # CLONE_NEWNS
    folder = tempfile.mkdtemp(prefix="with blank ")
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "ro,nosuid,nodev,noexec,noatime,dirsync", "a b", folder)
    mount("--bind", "/usr/lib", folder)


def elsewhere():
    """It has another root, from which it does not see all mounts."""
    LIBC.unshare(0x20000)
    mount("--make-rprivate", "/")
    os.makedirs("/mnt", exist_ok=True)
    mount("--bind", "/usr", "/mnt")
    mount("-t", "tmpfs", "over", "/mnt/share")
    os.chroot("/mnt")


def nobody():
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)


def zombie_parent():
    if not os.fork():
        os._exit(0)


def enter(group):
    folder = f"/sys/fs/cgroup/{group}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/cgroup.procs", "w", encoding="ascii") as f:
        f.write(str(os.getpid()))


def container():
    for group in CONTAINERS.values():
        if not os.fork():
            enter(group)
            while True:
                time.sleep(3600)
    enter(CONTAINERS[CONTAINER])


def command(*words, env=None):
    KEEP.append(subprocess.Popen(words, env=env))
    return KEEP[-1].pid


def play():
    """Those whose inside is looked at, too."""
    # A line without an end may be continued, and /dev/kmsg does not show it yet.
    for line in ("<3>stage: an error\n", "<30>stage: \x01 of a daemon, \\ and \xe4\n",
                 "<7>" + "stage: long " * 70 + "\n"):
        with open("/dev/kmsg", "w", encoding="latin1") as f:
            f.write(line)
    shown = [child(r) for r in (threads, mapper, injected, sockets, mounter, elsewhere,
                                nobody, zombie_parent, container)]
    # A text that those before have not, in whose memory this program is.
    shown.append(command("sleep", "1001", env={"A": "1", "EMPTY": "", "WITH": "a = b c",
                                               "RULE": " ".join(("Hello", "World"))}))
    shown.append(command("setpriv", "--reuid", "1000", "--clear-groups", "--inh-caps",
                         "+net_admin,+sys_ptrace", "--ambient-caps",
                         "+net_admin,+sys_ptrace", "sleep", "1002"))
    for namespace in ("--net", "--mount", "--ipc"):
        shown.append(command("unshare", namespace, "sleep", "1003"))
    shown.append(command("unshare", "--net", "sh", "-c",
                         "ip link set lo up; ip addr add 10.9.8.7/24 dev lo; "
                         "ip link add name dummy9 type dummy && ip link set dummy9 up; "
                         "ip addr add fd00::9/64 dev dummy9; exec sleep 1006"))
    command("unshare", "--pid", "--fork", "sleep", "1004")
    for _ in range(100):
        command("sleep", "1005")
    time.sleep(5)  # until all of them sleep
    return shown


def read(path, mode="r"):
    with open(path, mode, **({} if "b" in mode else {"errors": "surrogateescape"})) as f:
        return f.read()


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return None


def inum(pid, kind, gone):
    found = link(f"/proc/{pid}/ns/{kind}")
    return int(re.search(r"\d+", found)[0]) if found else gone


def ps_row(pid):
    status = dict(line.split(":\t", 1) for line in read(f"/proc/{pid}/status").splitlines()
                  if ":\t" in line)
    state = status["State"][0]
    kernel = not read(f"/proc/{pid}/cmdline") and state != "Z"
    return {"pid": pid, "ppid": int(status["PPid"]),
            # a worker of the kernel is shown with what it works on
            "comm": None if kernel else read(f"/proc/{pid}/comm")[:-1],
            "linux_uid": int(status["Uid"].split()[0]),
            "linux_gid": int(status["Gid"].split()[0]),
            "linux_state": None if kernel else state,
            "linux_ns_pid": inum(pid, "pid", None),
            "linux_ns_mnt": inum(pid, "mnt", 0), "linux_ns_net": inum(pid, "net", 0)}


def ps():
    rows = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(name) != os.getpid():
                rows.append(ps_row(int(name)))
        except FileNotFoundError:
            pass
    return rows


def lsmod():
    lines = (line.split() for line in read("/proc/modules").splitlines())
    return [{"name": line[0], "size": int(line[1])} for line in lines]


def containers():
    return [{"id": name} for name in CONTAINERS]


def threads_of(pid):
    return [{"tid": int(tid), "linux_thread_name": read(f"/proc/{pid}/task/{tid}/comm")[:-1]}
            for tid in os.listdir(f"/proc/{pid}/task")]


def maps_of(pid):
    rows = []
    for line in read(f"/proc/{pid}/maps").splitlines():
        parts = line.split(maxsplit=5)
        start, end = parts[0].split("-")
        rows.append({"vm_start": hex(int(start, 16)), "vm_end": hex(int(end, 16)),
                     "protection": parts[1], "file_path": (parts + [""])[5]})
    # it is no area of the process, and in no tree
    return [r for r in rows if r["file_path"] != "[vsyscall]"]


def libs_of(pid):
    exe, lowest, executed = link(f"/proc/{pid}/exe"), {}, set()
    for row in maps_of(pid):
        path = row["file_path"]
        if path.startswith("/"):
            lowest.setdefault(path, row["vm_start"])
            if "x" in row["protection"]:
                executed.add(path)
    return [{"library_path": p, "load_adress": lowest[p]} for p in executed if p != exe]


def args_of(pid):
    words = read(f"/proc/{pid}/cmdline").rstrip("\0").split("\0")
    return [{"cmd_line": " ".join(words), "image_full_path": link(f"/proc/{pid}/exe")}]


def env_of(pid):
    entries = read(f"/proc/{pid}/environ").split("\0")
    return [dict(zip(("variable", "value"), e.split("=", 1))) for e in entries if "=" in e]


def caps_of(pid):
    status = read(f"/proc/{pid}/status")
    permitted, effective = (int(re.search(rf"^{c}:\s*(\w+)", status, re.M)[1], 16)
                            for c in ("CapPrm", "CapEff"))
    return [{"name": f"CAP_{name}", "is_on": bool(effective >> i & 1)}
            for i, name in enumerate(CAPS) if permitted >> i & 1]


def fds_of(pid):
    return [{"value": int(fd), "name": link(f"/proc/{pid}/fd/{fd}")}
            for fd in os.listdir(f"/proc/{pid}/fd")]


def namespaces():
    """The number of each network's namespace, and a process in it."""
    found = {}
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        number = inum(pid, "net", 0)
        if number:
            found.setdefault(number, pid)
    return found


def owners():
    """Of sockets, by inode: the lowest PID, and its lowest descriptor."""
    found = {}
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            fds = sorted(int(fd) for fd in os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            continue
        for fd in fds:
            match = re.match(r"socket:\[(\d+)\]", link(f"/proc/{pid}/fd/{fd}") or "")
            if match:
                found.setdefault(int(match[1]), (pid, fd))
    return found


def address(text):
    """An address and a port, as /proc/net has them: words of the machine."""
    host, port = text.split(":")
    words = bytes.fromhex(host)
    raw = b"".join(words[i:i + 4][::-1] for i in range(0, len(words), 4))
    family = socket.AF_INET if len(raw) == 4 else socket.AF_INET6
    return socket.inet_ntop(family, raw), int(port, 16)


TCP_STATES = (" ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT "
              "LAST_ACK LISTEN CLOSING SYN_RECV").split(" ")


def inet_rows(name, pid, number, owner):
    rows = []
    for line in read(f"/proc/{pid}/net/{name}").splitlines()[1:]:
        words = line.split()
        (local, port), (remote, remote_port) = address(words[1]), address(words[2])
        state = TCP_STATES[int(words[3], 16)]
        if not name.startswith("tcp") and state == "CLOSE":
            state = "UNCONNECTED"
        of, fd = owner.get(int(words[9]), (0, None))
        rows.append({"protocol": name.rstrip("6").upper(),
                     "linux_family": "AF_INET6" if name.endswith("6") else "AF_INET",
                     "local_addr": local, "local_port": port, "remote_addr": remote,
                     "remote_port": remote_port, "state": state, "pid": of, "linux_fd": fd,
                     "linux_net_namespace": number})
    return rows


def unix_rows(pid, number, owner):
    rows = []
    for line in read(f"/proc/{pid}/net/unix").splitlines()[1:]:
        words = line.split(maxsplit=7)
        if int(words[6]) not in owner:
            continue
        of, fd = owner[int(words[6])]
        state = ("LISTEN" if int(words[3], 16) & 0x10000 else
                 "ESTABLISHED" if words[5] == "03" else "UNCONNECTED")
        rows.append({"protocol": "UNIX", "linux_family": "AF_UNIX",
                     "local_addr": (words + [""])[7], "local_port": 0, "remote_addr": "",
                     "remote_port": 0, "state": state, "pid": of, "linux_fd": fd,
                     "linux_net_namespace": number,
                     "linux_type": {1: "STREAM", 2: "DGRAM", 5: "SEQPACKET"}[int(words[4], 16)]})
    return rows


def ss():
    rows, owner = [], owners()
    for number, pid in namespaces().items():
        for name in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
            rows += inet_rows(name, pid, number, owner)
        rows += unix_rows(pid, number, owner)
    return rows


def ip():
    rows = []
    for number, pid in namespaces().items():
        shown = subprocess.run(["nsenter", f"--net=/proc/{pid}/ns/net", "ip", "-json", "address"],
                               capture_output=True, check=True).stdout
        for one in json.loads(shown):
            row = {"namespace": number, "name": one["ifname"],
                   # what is no Ethernet is told in other ways
                   "mac_arr": {"ether": [one.get("address")],
                               "loopback": []}.get(one["link_type"])}
            for family, key in (("inet", "ipv4"), ("inet6", "ipv6")):
                infos = [a for a in one["addr_info"] if a["family"] == family]
                row[f"{key}_arr"] = [a["local"] for a in infos]
                row[f"{key}_prefix_len_arr"] = [a["prefixlen"] for a in infos]
            rows.append(row)
    return rows


LEVELS = "emerg alert crit err warn notice info debug".split()
FACILITIES = "kern user mail daemon auth syslog lpr news uucp cron authpriv ftp".split()


def kmsg():
    rows, fd = [], os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    while True:
        try:
            head, text = os.read(fd, 65536).decode("ascii").split(";", 1)
        except BrokenPipeError:  # what was to be read next has gone
            continue
        except BlockingIOError:
            break
        number, seq, us = (int(word) for word in head.split(",")[:3])
        rows.append({"seq": seq, "time": f"{us // 10**6}.{us % 10**6:06}",
                     "level": LEVELS[number & 7],
                     "facility": dict(enumerate(FACILITIES)).get(number >> 3, str(number >> 3)),
                     "text": text.split("\n")[0].replace("\\x5c", "\\"), "lost": False})
    os.close(fd)
    return rows


SUPER_OPTIONS = ("ro", "rw", "sync", "dirsync", "mand", "lazytime")


def unescaped(text):
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), text)


def mounts_of(pid):
    rows = []
    for line in read(f"/proc/{pid}/mountinfo").splitlines():
        its, of_super = (part.split(" ") for part in line.split(" - ", 1))
        kind, device, options = of_super
        rows.append({"id": int(its[0]), "parent": int(its[1]),
                     "major": int(its[2].split(":")[0]), "minor": int(its[2].split(":")[1]),
                     # what these have there is no path
                     "root": None if kind == "nsfs" else unescaped(its[3]),
                     "path": unescaped(its[4]), "options": its[5], "type": kind,
                     "device": unescaped(device), "reachable": True,
                     "super_options": ",".join(o for o in options.split(",")
                                               if o in SUPER_OPTIONS)})
    return rows


SUMS = {}  # by device and inode


def sums(path, info):
    key = info.st_dev, info.st_ino, info.st_mtime
    if key not in SUMS:
        content = read(path, "rb")
        SUMS[key] = [hashlib.new(name, content).hexdigest() for name in ("sha1", "sha256")]
    return SUMS[key]


def files_of(pid):
    folder, found = f"/proc/{pid}", {}
    for path in [f"{folder}/map_files/{name}" for name in os.listdir(f"{folder}/map_files")] + [
            f"{folder}/exe"] + [f"{folder}/fd/{name}" for name in os.listdir(f"{folder}/fd")]:
        name, info = link(path), os.stat(path)
        if name not in found and stat.S_ISREG(info.st_mode) and info.st_size < 1 << 26:
            sha1, sha256 = sums(path, info)
            found[name] = {"path": name, "size": info.st_size, "sha1": sha1, "sha256": sha256}
    return list(found.values())


def attest_of(pid):
    """All code: that of files, none of which has been changed, and that of none."""
    return [{"start_address": r["vm_start"], "end_address": r["vm_end"],
             "protection": r["protection"], "path_of_memory_area": r["file_path"],
             "hash_data_is_present": r["file_path"].startswith("/"),
             "as_it_should_be": r["file_path"].startswith("/")}
            for r in maps_of(pid) if "x" in r["protection"] and r["file_path"] != "[vdso]"]


def inject_of(pid):
    """Pages that may be executed, are of no file, and are not empty."""
    rows, empty = [], bytes(4096)
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        for r in maps_of(pid):
            if "x" not in r["protection"] or r["file_path"].startswith(("/", "[v")):
                continue
            start, end = int(r["vm_start"], 16), int(r["vm_end"], 16)
            mem.seek(start)
            pages = [mem.read(4096) for _ in range(start, end, 4096)] + [empty]
            for i in (i for i in range(len(pages) - 1) if pages[i] != empty):
                if i and pages[i - 1] != empty:
                    continue
                last = next(k for k in range(i, len(pages)) if pages[k] == empty)
                tag = "elf" if not i and pages[0].startswith(b"\x7fELF") else "code"
                rows.append({"vad_start": r["vm_start"], "vad_end": r["vm_end"],
                             "vad_protection": r["protection"], "vad_tag": tag,
                             "suspected_area_start": hex(start + i * 4096),
                             "suspected_area_end": hex(start + last * 4096)})
    return rows


def change_code(pid):
    """As a debugger does, who may write what the process may not."""
    start = next(int(r["vm_start"], 16) for r in maps_of(pid) if "x" in r["protection"])
    with open(f"/proc/{pid}/mem", "r+b", buffering=0) as f:
        f.seek(start + 100)
        byte = f.read(1)[0]
        f.seek(start + 100)
        f.write(bytes([byte ^ 1]))


OF_SYSTEM = {"ps": ps, "lsmod": lsmod, "containers": containers, "ss": ss, "ip": ip, "kmsg": kmsg}
OF_PROCESS = {"threads": threads_of, "maps": maps_of, "libs": libs_of, "args": args_of,
              "env": env_of, "caps": caps_of, "fds": fds_of, "mounts": mounts_of,
              "files": files_of, "attest": attest_of, "inject": inject_of}


def listing(shown):
    made = {name: of() for name, of in OF_SYSTEM.items()}
    for name, of in OF_PROCESS.items():
        made[name] = {pid: of(pid) for pid in shown}
    return made


def write(path, what):
    with open(path + ".new", "w", encoding="ascii") as f:
        json.dump(what, f)
    os.rename(path + ".new", path)


def ram():
    lines = re.findall(r"^(\w+)-(\w+) : System RAM$", read("/proc/iomem"), re.M)
    return [(int(start, 16), int(end, 16)) for start, end in lines]


def look(folder, build, shown, memory, commands):
    """Command, process, what doca_apsh sees here or why it does not, and what that took."""
    os.makedirs("/tmp/targets", exist_ok=True)
    with open("/tmp/targets/here.json", "w", encoding="ascii") as f:
        json.dump({"vuid": "here", "device": "any", "memory": memory}, f)
    with open("/tmp/regions.json", "w", encoding="ascii") as f:
        json.dump({"allowed_regions": {str(i): {"start": start, "length": end - start + 1}
                                       for i, (start, end) in enumerate(ram())}}, f)
    looks = []
    env = dict(os.environ, DOCA_TARGETS_DIR="/tmp/targets", LD_LIBRARY_PATH=f"{build}/lib")
    for command in commands:
        pid = str(shown[0]) if command in OF_PROCESS else None
        done = subprocess.run([f"{build}/tools/doca_apsh", "-t", "here", "-m", "/tmp/regions.json",
                               "-o", f"{folder}/map.json", "--json", "--stats", command,
                               *([pid] if pid else [])], env=env, capture_output=True,
                              text=True, check=False)
        seen = done.stdout if not done.returncode else done.stderr
        looks.append((command, pid, seen, done.stderr))
    return looks


def main(folder, build):
    map_tool = f"{build}/tools/doca_apsh_map"
    shown = play()
    for pid in shown if os.path.exists(map_tool) else []:
        subprocess.run([map_tool, "hash", "--pid", str(pid), "-o", f"{folder}/hash-{pid}.json"],
                       check=True)
    with open(f"{folder}/iomem", "w", encoding="ascii") as f:
        f.write(read("/proc/iomem"))
    write(f"{folder}/a.json", listing(shown))
    commands = [*OF_SYSTEM, *(c for c in OF_PROCESS if c not in ("files", "attest", "inject"))]
    write(f"{folder}/kcore.json", look(folder, build, shown, {"kcore": True}, commands))
    write(f"{folder}/ready", True)
    while not os.path.exists(f"{folder}/go"):
        time.sleep(0.2)
    write(f"{folder}/b.json", listing(shown))
    change_code(shown[-1])
    write(f"{folder}/changed", shown[-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
