#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""
rdma_pyverbs.py DEVICE: a peer of verbs alone, for rdma_interop. It takes the details of a
connection from its input (lib/rdma/desc.c has the layout), gives its own to its output, waits
for a byte that says that the other side has connected, sends a message and expects the same one
back.
"""

import struct
import sys

try:
    import pyverbs.enums as e
    from pyverbs.addr import GID, AHAttr, GlobalRoute
    from pyverbs.cq import CQ
    from pyverbs.device import Context
    from pyverbs.mr import MR
    from pyverbs.pd import PD
    from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
    from pyverbs.wr import SGE, RecvWR, SendWR
except ImportError:
    sys.exit(77)

LAYOUT = "<IHHBBBBIIHBB16s48s"
MAGIC = 0x43525244
PORT = 1
LENGTH = 4096
PSN = 0x123456


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return ~crc & 0xFFFFFFFF


def gid_text(raw):
    return ":".join(raw[i:i + 2].hex() for i in range(0, 16, 2))


def find_gid(context, wanted):
    """Return the index of a GID of RoCE v2."""
    for entry in context.query_gid_table(max_entries=64):
        if entry.gid_str() == wanted and entry.gid_type == e.IBV_GID_TYPE_ROCE_V2:
            return entry.gid_index
    raise SystemExit(f"no GID {wanted}")


def connect(qp, context, theirs):
    gid = GlobalRoute(dgid=GID(gid_text(theirs[12])), hop_limit=64,
                      sgid_index=find_gid(context, gid_text(theirs[12])))
    attr = QPAttr(port_num=PORT)
    attr.ah_attr = AHAttr(gr=gid, is_global=1, port_num=PORT)
    attr.dest_qp_num = theirs[7]
    attr.path_mtu = theirs[4]
    attr.rq_psn = theirs[8]
    attr.sq_psn = PSN
    attr.min_rnr_timer = 12
    attr.max_dest_rd_atomic = 1
    attr.max_rd_atomic = 1
    attr.timeout = 16
    attr.retry_cnt = 6
    attr.rnr_retry = 7
    attr.qp_access_flags = e.IBV_ACCESS_LOCAL_WRITE
    qp.to_rts(attr)


def our_details(qp, theirs):
    data = struct.pack(LAYOUT, MAGIC, 1, 96, *theirs[3:6], 1, qp.qp_num, PSN, 0, 0, PORT,
                       theirs[12], bytes(48))
    return data + struct.pack("<II", crc32c(data), 0)


def await_one(cq):
    while True:
        n, completions = cq.poll(1)
        if n:
            if completions[0].status != e.IBV_WC_SUCCESS:
                raise SystemExit(f"status {completions[0].status}")
            return completions[0]


def main():
    theirs = struct.unpack(LAYOUT + "II", sys.stdin.buffer.read(96))
    context = Context(name=sys.argv[1])
    pd = PD(context)
    sends, receives = CQ(context, 2), CQ(context, 2)
    qp = QP(pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=sends, rcq=receives, sq_sig_all=1,
                           cap=QPCap(max_send_wr=2, max_recv_wr=2)),
            QPAttr(port_num=PORT))
    connect(qp, context, theirs)
    out = MR(pd, LENGTH, e.IBV_ACCESS_LOCAL_WRITE)
    into = MR(pd, LENGTH, e.IBV_ACCESS_LOCAL_WRITE)
    message = bytes(i * 11 & 0xFF for i in range(LENGTH))
    out.write(message, LENGTH)
    qp.post_recv(RecvWR(sg=[SGE(into.buf, LENGTH, into.lkey)], num_sge=1))
    sys.stdout.buffer.write(our_details(qp, theirs))
    sys.stdout.flush()
    if not sys.stdin.buffer.read(1):
        raise SystemExit("the other side did not connect")
    qp.post_send(SendWR(opcode=e.IBV_WR_SEND, num_sge=1, sg=[SGE(out.buf, LENGTH, out.lkey)]))
    await_one(sends)
    await_one(receives)
    if into.read(LENGTH, 0) != message:
        raise SystemExit("another message came back")


if __name__ == "__main__":
    main()
