# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""What bench.py measures, in a guest:

    crowd.py DIR BUILD N

has N processes, lists what doca_apsh sees of them here (DIR/kcore.json) when DIR/go is
there, and writes what crowd.c does."""

import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from stage import look, write  # noqa: E402 (not before that)


def wait_for(path):
    while not os.path.exists(path):
        time.sleep(0.2)


def main(folder, build, processes):
    with subprocess.Popen([f"{build}/selftests/apsh/crowd", "/tmp", processes]):
        wait_for("/tmp/ready")
        wait_for(f"{folder}/go")
        write(f"{folder}/kcore.json", look(folder, build, [], {"function": "local"}, ["ps"]))
        shutil.copy("/tmp/iomem", f"{folder}/iomem")
        write(f"{folder}/ready", True)


if __name__ == "__main__":
    main(*sys.argv[1:])
