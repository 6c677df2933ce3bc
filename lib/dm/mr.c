// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Registrations of device memory. They begin at address 0, as verbs require: the kernel
 * is given that address for the memory that is mapped here.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "dm.h"
#include "real.h"

LOG_SOURCE("DM");

/*
 * @mr: first, as the search key
 * @addr: where the memory really is, with @length: libibverbs tells the kernel by
 *	these what children inherit
 * @guard: page of an empty registration
 */
struct dm_mr {
	struct ibv_mr *mr;
	struct dm *dm;
	void *addr;
	size_t length;
	void *guard;
};

/* Sorted by struct ibv_mr. */
static void *mrs;

static int compare(const void *a, const void *b)
{
	const struct dm_mr *x = a, *y = b;

	return x->mr < y->mr ? -1 : x->mr > y->mr;
}

static int check(struct ibv_pd *pd, const struct dm *dm, uint64_t offset,
		 size_t length, unsigned int access)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	if (pd->context != dm->verbs.context) {
		LOG_ERR("ibv_reg_dm_mr(): the protection domain is of another context");
		return EINVAL;
	}
	if (!(access & IBV_ACCESS_ZERO_BASED)) {
		LOG_ERR("ibv_reg_dm_mr(): access %#x: IBV_ACCESS_ZERO_BASED is missing",
			access);
		return EINVAL;
	}
	if (dm->forks != forks_seen || offset > dm->chunk.length ||
	    length > dm->chunk.length - offset) {
		LOG_ERR("ibv_reg_dm_mr(): %zu bytes at %llu are not within the memory's %zu",
			length, (unsigned long long)offset, dm->chunk.length);
		return EINVAL;
	}
	/* Regions begin at 0, and verbs want both addresses at one place within their pages. */
	if (length && offset % page) {
		LOG_ERR("ibv_reg_dm_mr(): offset %llu: must be a multiple of %llu, because this device has memory in pages; register from one on, and add the rest to addresses",
			(unsigned long long)offset, (unsigned long long)page);
		return EOPNOTSUPP;
	}
	return 0;
}

/*
 * Verbs allow an empty registration, the kernel does not. So register a page that no
 * process may use, at the end of all addresses.
 */
static struct ibv_mr *reg_nothing(struct ibv_pd *pd, struct dm_mr *m)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int err;

	m->guard = mmap(NULL, page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->guard == MAP_FAILED)
		return NULL;
	m->mr = ibv_reg_mr_iova2(pd, m->guard, 4, -(uint64_t)page, 0);
	if (m->mr)
		return m->mr;
	err = errno;
	munmap(m->guard, page);
	errno = err;
	return NULL;
}

static struct ibv_mr *reg(struct ibv_pd *pd, struct dm_mr *m, uint64_t offset,
			  size_t length, unsigned int access)
{
	m->mr = length ?
			ibv_reg_mr_iova2(pd, (char *)m->dm->chunk.addr + offset,
					 length, 0,
					 access & ~IBV_ACCESS_ZERO_BASED) :
			reg_nothing(pd, m);
	if (!m->mr && errno == ENOMEM)
		LOG_ERR("ibv_reg_dm_mr(): %zu bytes: out of memory, or over RLIMIT_MEMLOCK, which counts them; see ulimit -l",
			length);
	else if (!m->mr)
		LOG_ERR("ibv_reg_dm_mr(): %zu bytes: %s", length,
			errno_text(errno));
	return m->mr;
}

static struct ibv_mr *reg_locked(struct ibv_pd *pd, struct dm *dm,
				 uint64_t offset, size_t length,
				 unsigned int access)
{
	int err = check(pd, dm, offset, length, access);
	struct dm_mr *m;

	if (err) {
		errno = err;
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (m)
		m->dm = dm;
	if (!m || !reg(pd, m, offset, length, access)) {
		free(m);
		return NULL;
	}
	if (!tsearch(m, &mrs, compare)) {
		real.dereg_mr(m->mr);
		if (m->guard)
			munmap(m->guard, sysconf(_SC_PAGESIZE));
		free(m);
		errno = ENOMEM;
		return NULL;
	}
	m->addr = m->mr->addr;
	m->length = m->mr->length;
	m->mr->addr = NULL;
	m->mr->length = length;
	dm->nr_mrs++;
	return m->mr;
}

struct ibv_mr *dm_reg_mr(struct ibv_pd *pd, struct ibv_dm *verbs,
			 uint64_t offset, size_t length, unsigned int access)
{
	struct ibv_mr *mr;
	int state;

	state = lock_uncancelled(&dm_lock);
	mr = reg_locked(pd, (struct dm *)verbs, offset, length, access);
	unlock_uncancelled(&dm_lock, state);
	return mr;
}

static int dereg_locked(struct dm_mr *m)
{
	struct ibv_mr was = *m->mr;
	int err;

	m->mr->addr = m->addr;
	m->mr->length = m->length;
	err = real.dereg_mr(m->mr);
	if (err) {
		m->mr->addr = was.addr;
		m->mr->length = was.length;
		return err;
	}
	m->dm->nr_mrs--;
	tdelete(m, &mrs, compare);
	if (m->guard)
		munmap(m->guard, sysconf(_SC_PAGESIZE));
	free(m);
	return 0;
}

/*
 * The region's memory cannot be changed: other memory would have an address, and would not
 * be device memory. An empty region consists of a page that no process may use, whatever
 * access is requested.
 */
static int rereg_locked(struct dm_mr *m, int flags, struct ibv_pd *pd,
			int access)
{
	int err;

	if (flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
		LOG_ERR("ibv_rereg_mr(): a region of device memory cannot become one of other memory; ibv_dereg_mr() it and register that");
		errno = EOPNOTSUPP;
		return IBV_REREG_MR_ERR_INPUT;
	}
	if ((flags & IBV_REREG_MR_CHANGE_PD) && pd->context != m->mr->context) {
		LOG_ERR("ibv_rereg_mr(): the protection domain is of another context");
		errno = EINVAL;
		return IBV_REREG_MR_ERR_INPUT;
	}
	err = real.rereg_mr(m->mr, flags, pd, NULL, 0,
			    m->guard ? 0 : access & ~IBV_ACCESS_ZERO_BASED);
	if (err)
		LOG_ERR("ibv_rereg_mr(): flags %#x, access %#x: %s", flags,
			access, errno_text(errno));
	return err;
}

EXPORT int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd,
			void *addr, size_t length, int access)
{
	struct dm_mr key = { .mr = mr }, **found = NULL;
	int err, state;

	state = lock_uncancelled(&dm_lock);
	if (!mr->addr)
		found = tfind(&key, &mrs, compare);
	if (found)
		err = rereg_locked(*found, flags, pd, access);
	unlock_uncancelled(&dm_lock, state);
	return found ? err : real.rereg_mr(mr, flags, pd, addr, length, access);
}

/* Most regions are not ours: they have an address. */
EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	struct dm_mr key = { .mr = mr }, **found;
	int err, state;

	if (mr->addr)
		return real.dereg_mr(mr);
	state = lock_uncancelled(&dm_lock);
	found = tfind(&key, &mrs, compare);
	err = found ? dereg_locked(*found) : real.dereg_mr(mr);
	unlock_uncancelled(&dm_lock, state);
	return err;
}
