# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""A guest of scripts/vm whose memory is a file, and which is stopped and continued by QMP."""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

TREE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def load_vm():
    sys.path.insert(0, os.path.join(TREE, "scripts/vm"))
    loader = importlib.machinery.SourceFileLoader("vm", os.path.join(TREE, "scripts/vm/vm"))
    spec = importlib.util.spec_from_loader("vm", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Qmp:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.stream = self.socket.makefile("rw", encoding="utf-8")
        self.stream.readline()  # what it is
        self("qmp_capabilities")

    def __call__(self, command, **arguments):
        self.stream.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.stream.flush()
        while True:
            answer = json.loads(self.stream.readline())
            if "error" in answer:
                raise RuntimeError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


class Machine:
    """In a with statement: runs a command in a guest, with folder seen by both. Its memory is a
    file, or one that only QEMU has open for each of two nodes."""

    def __init__(self, kernel, mem, levels, folder, command, nodes=1):
        vm = load_vm()
        self.kernel = vm.Kernel(kernel)
        self.is_x86 = self.kernel.machine is vm.X86
        self.folder = folder
        # not in the folder, of which the guest may read all
        self.memory = f"/dev/shm/{os.path.basename(folder)}"
        self.socket = os.path.join(folder, "qmp")
        # kernels of late let nobody write to the code of others, as the stage does
        append = "proc_mem.force_override=always"
        opts = argparse.Namespace(kernel=kernel, cpus=2, mem=mem, rxe=0, wire=None, iommu="none",
                                  engines=[], results=folder, timeout=0, icount=False, append=append,
                                  command=command)
        vm.write_control(opts, self.kernel, watched=False)
        accel = vm.Accelerator(self.kernel.machine, opts.icount).names()[-1]
        self.args = vm.qemu(opts, self.kernel, accel,
                            f"path={self.socket},server=on,wait=off")
        if self.is_x86:
            self.args[self.args.index("-cpu") + 1] += f",la57={'on' if levels == 5 else 'off'}"
        elif levels == 4:  # a kernel for more finds that this has addresses of 48 bits
            self.args[self.args.index("-cpu") + 1] = "cortex-a76"
        self.args += self.nodes(mem) if nodes == 2 else [
            "-object", f"memory-backend-file,id=ram,size={mem},share=on,mem-path={self.memory}",
            "-machine", "memory-backend=ram"]

    @staticmethod
    def nodes(mem):
        """The second one begins in the middle of what is below 4 GiB."""
        half = f"{int(mem.removesuffix('G')) * 512}M"
        return [arg for node in range(2) for arg in (
            "-object", f"memory-backend-memfd,id=node{node},size={half},share=on",
            "-numa", f"node,memdev=node{node}")]

    def __enter__(self):
        # Its stdin stays open: QEMU takes the end of one as the end of the other.
        self.qemu = subprocess.Popen(self.args, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        self.output = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        return self

    def __exit__(self, *_):
        self.qemu.kill()
        self.qemu.wait()
        self.reader.join()
        if os.path.exists(self.memory):
            os.unlink(self.memory)

    def read(self):
        while data := self.qemu.stdout.read1(65536):
            self.output += data

    def wait_for(self, name, seconds):
        end = time.monotonic() + seconds
        path = os.path.join(self.folder, name)
        while not os.path.exists(path):
            if self.qemu.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the guest did not write {name}: "
                                   + self.output.decode(errors="replace")[-2000:])
            time.sleep(0.2)
        return path

    def qmp(self):
        return Qmp(self.socket)


def main(describe, play, mem="1G", timeout=300, **more):
    """What programs here have in common: options, and a folder that goes with them."""
    parser = argparse.ArgumentParser(description=describe)
    parser.add_argument("--kernel", default="6.1")
    parser.add_argument("--mem", default=mem)
    parser.add_argument("--build", default=os.path.join(TREE, "build"),
                        help="whose tools are used")
    parser.add_argument("--timeout", type=float, default=timeout,
                        help="seconds that the guest may take for each step")
    for name, how in more.items():
        parser.add_argument(name if name == "commands" else f"--{name}", **how)
    opts = parser.parse_args()
    # The memory of a guest must not stay behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="doca-apsh-")
    try:
        return 1 if play(opts, folder) else 0
    finally:
        shutil.rmtree(folder)
