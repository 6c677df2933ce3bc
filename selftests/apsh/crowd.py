# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""What bench.py measures, in a guest:

    crowd.py DIR BUILD N

has N processes, lists them by the driver (DIR/dma.json) when DIR/go is there, and writes
what crowd.c does."""

import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from stage import load_driver, look, write  # noqa: E402 (not before that)


def wait_for(path):
    while not os.path.exists(path):
        time.sleep(0.2)


def main(folder, build, processes):
    driver = load_driver()
    with subprocess.Popen([f"{build}/selftests/apsh/crowd", "/tmp", processes]):
        wait_for("/tmp/ready")
        wait_for(f"{folder}/go")
        if driver:
            write(f"{folder}/dma.json", look(folder, build, [], {"function": "local"}, ["ps"]))
        shutil.copy("/tmp/iomem", f"{folder}/iomem")
        write(f"{folder}/ready", True)


if __name__ == "__main__":
    main(*sys.argv[1:])
