#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Run what is asked for, in a guest:

    servant.py DIR

runs the scripts DIR/do-0, DIR/do-1 and so on, each when it is there, and writes DIR/done-N, its
exit status, when it has ended, and DIR/out-N, what it has said."""

import itertools
import os
import subprocess
import sys
import time


def main(folder):
    for n in itertools.count():
        while not os.path.exists(f"{folder}/do-{n}"):
            time.sleep(0.1)
        with open(f"{folder}/out-{n}", "wb") as out:
            done = subprocess.run(["sh", f"{folder}/do-{n}"], stdout=out, stderr=out, check=False)
        with open(f"{folder}/status", "w", encoding="ascii") as f:
            f.write(str(done.returncode))
        os.rename(f"{folder}/status", f"{folder}/done-{n}")


if __name__ == "__main__":
    main(*sys.argv[1:])
