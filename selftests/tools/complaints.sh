#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Lines that "scripts/vm/vm run" takes for a complaint of a guest's kernel, and lines that it
# does not.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"

# $1: how many there are in the log on standard input
complaints() {
	local found
	found=$("$here/../../scripts/vm/find-complaints" | wc -l)
	[ "$found" -eq "$1" ] && return
	echo "# there are $found, and not $1"
	return 1
}

# $1: what it is about, $2: who is to blame
warning() {
	echo '[ 1.0] ------------[ cut here ]------------'
	echo "[ 1.1] $1"
	echo '[ 1.2] WARNING: CPU: 0 PID: 9 at kernel/dma/debug.c:601 add_dma_entry+0x3d2/0x590'
	echo "[ 1.3]  $2+0x81/0x320"
	echo '[ 1.4] ---[ end trace 0000000000000000 ]---'
}

overlap="DMA-API: testdma 0000:00:10.0: cacheline tracking EEXIST, overlapping mappings"

# Soft-RoCE warns where an answer comes in front of another one; any other warning of it counts.
test_an_answer_of_soft_roce_out_of_order() {
	local warning="WARNING: CPU: 0 PID: 9 at drivers/infiniband/sw/rxe/rxe_comp.c:827 rxe_completer+0xbd7/0xe30"
	warning "$warning" x | sed /debug.c/d | complaints 0 &&
		warning "${warning/comp.c:827 rxe_completer/resp.c:9 rxe_receiver}" x | sed /debug.c/d | complaints 1
}

test_nothing() {
	echo '[ 1.0] testdma 0000:00:10.0: doca: out of quarantine' | complaints 0
}

test_a_warning() {
	warning "" doca_ioctl | complaints 1
}

# Each of a few lines that an SMMU prints of one is no fault of its own.
test_a_fault_of_an_iommu() {
	echo '[ 1.0] DMAR: [DMA Write NO_PASID] Request device [00:10.0] fault addr 0xfffff000' | complaints 1 &&
		printf '[ 1.%d] arm-smmu-v3 arm-smmu-v3.0.auto: %s\n' 1 'event 0x10 received:' \
			2 '	0x0000100000000010' 3 'EVTQ overflow detected -- events lost' | complaints 2 &&
		echo '[ 1.0] arm-smmu-v3 arm-smmu-v3.0.auto: allocated 32768 entries for evtq' | complaints 0
}

# DMA_API_DEBUG does not know that this is right.
test_a_dmabuf_mapped_twice() {
	{ warning "$overlap" __map_dma_buf; warning "$overlap" __map_dma_buf; } | complaints 0
}

test_other_memory_mapped_twice() {
	warning "$overlap" doca_dmamap_get | complaints 1
}

test_what_comes_behind_it() {
	{ warning "$overlap" __map_dma_buf; warning "" doca_ioctl; } | complaints 1 &&
		{ warning "$overlap" doca_dmamap_get; warning "" __map_dma_buf; } | complaints 2
}

test_soft_roce_behind_its_table() {
	echo '[ 1.0] BUG: KASAN: slab-out-of-bounds in rxe_mr_copy+0x3d9/0x450' | complaints 0 &&
		echo '[ 1.0] BUG: KASAN: slab-out-of-bounds in doca_ioctl+0x9/0x450' | complaints 1
}

test_memory_written_after_it_was_freed() {
	echo '[ 1.0] BUG kmalloc-192 (Tainted: G           OE     ): Poison overwritten' |
		complaints 1
}

test_another_cpu_complains_between() {
	warning "BUG: KASAN: slab-use-after-free in doca_ioctl+0x9/0x450" __map_dma_buf |
		sed "s/^\(.*\)BUG:/[ 1.1] $overlap\n\1BUG:/" | complaints 1
}

test_one_that_is_cut_off() {
	{
		warning "$overlap" __map_dma_buf | sed '$d'
		echo '[ 1.5] BUG: unable to handle page fault'
	} | complaints 2
}

ktap_all
