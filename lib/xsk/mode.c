// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The mode that was obtained, and why not a better one, as text. */
#include <errno.h>
#include <stdio.h>

#include "core/base/errno_text.h"
#include "xsk.h"

const char *xsk_mode_name(enum xsk_mode mode)
{
	static const char *const names[] = {
		[XSK_NONE] = "none",
		[XSK_LATE] = "late copy",
		[XSK_COPY] = "copy",
		[XSK_ZEROCOPY] = "zero-copy",
	};

	return names[mode];
}

static const char *const capability =
	"it takes CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF, in the initial user "
	"namespace";

static const struct {
	const char *what;
	const char *denied; /* for EPERM and EACCES */
	const char *busy; /* for EBUSY */
} steps[] = {
	[XSK_STEP_BUILT] = { .what = "built without libxdp-dev, libbpf-dev and "
				     "clang, which it takes" },
	[XSK_STEP_INTERFACE] = { .what = "the interface cannot be asked" },
	[XSK_STEP_QUEUES] = { .what = "it has more receive queues than 8; "
				      "reduce them with ethtool -L, or make it "
				      "with numrxqueues" },
	[XSK_STEP_MEMORY] = { .what = "its memory cannot be registered" },
	[XSK_STEP_BIND] = { .what = "no AF_XDP socket can be bound",
			    .busy = "a receive queue has an AF_XDP socket "
				    "already, of this process or of another" },
	[XSK_STEP_PROGRAM] = { .what = "the XDP program cannot be loaded" },
	[XSK_STEP_ATTACH] = { .what = "the XDP program cannot be attached",
			      .busy = "it has another XDP program; 'ip link "
				      "show' names it, and 'ip link set dev ... "
				      "xdp off' may remove it" },
	[XSK_STEP_MAP] = { .what = "the frames cannot be steered",
			   .busy = "another queue has that number" },
};

static const char *reason(enum xsk_step step, int err)
{
	if (err == -EPERM || err == -EACCES)
		return capability;
	if (err == -EBUSY && steps[step].busy)
		return steps[step].busy;
	return steps[step].what;
}

int xsk_explain(struct xsk_why *why, enum xsk_step step, int err,
		const char *ifname, size_t bytes)
{
	why->step = step;
	why->err = err;
	if (step == XSK_STEP_MEMORY && (err == -ENOBUFS || err == -ENOMEM))
		snprintf(why->text, sizeof(why->text),
			 "%s: %zu KiB of memory are more than may be locked; "
			 "raise 'ulimit -l', or make the burst smaller",
			 ifname, bytes / 1024);
	else
		snprintf(why->text, sizeof(why->text), "%s: %s (%s)", ifname,
			 reason(step, err), errno_text(err));
	return err;
}
