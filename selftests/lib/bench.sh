# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# shellcheck shell=bash
#
# For the tests of what measures, after tool.sh: small OPTION..., and what the files of that
# or another run hold. None of them is about how fast anything is.

[ -c /dev/doca ] || ktap_skip_all "needs the driver"

# Two sizes at two depths
small() {
	run_ok --seconds 0.001 --runs 3 --sizes nop,64 --depths 1,4 \
		--json "$work/r.json" --csv "$work/r.csv" "$@"
}

# A Python expression about the results must hold: j is what is in JSON, c what is in
# CSV, e the environment that precedes it.
holds() {
	python3 - "$work" "$1" << 'END'
import csv, json, sys
work, wanted = sys.argv[1:]
j = json.load(open(work + '/r.json'))
lines = open(work + '/r.csv').read().splitlines()
e = dict(s[2:].split(': ', 1) for s in lines if s.startswith('#'))
c = list(csv.DictReader(s for s in lines if not s.startswith('#')))

def ways(size, depth):
    return {r['way']: r for r in j['rows']
            if (r['size'], r['depth']) == (size, depth)}

def measured(peer):
    return not j['environment'][peer].startswith('not measured')

if not eval("(" + wanted + ")"):
    print('#', wanted, 'does not hold in', json.dumps(j))
    sys.exit(1)
END
}

bench_said() {
	sed 's/^/# /' "$work/stderr"
	return 1
}
