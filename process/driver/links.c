// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The list of all connections to exporters; their references and their ends. */
#include "shim/kernel.h"

#include <sys/mman.h>

#include "link_inner.h"

static struct {
	pthread_mutex_t lock; /* protects the lists */
	pthread_cond_t opened;
	struct list_head links;
	struct list_head closed;
	u64 used; /* bitmap of their indices */
	bool stirred; /* a link was stirred */
} links = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.opened = PTHREAD_COND_INITIALIZER,
	.links = LIST_HEAD_INIT(links.links),
	.closed = LIST_HEAD_INIT(links.closed),
};

bool link_is_dead(const struct link *link)
{
	return READ_ONCE(link->dead);
}

/*
 * Find a living link to an exporter, or NULL. Get a reference, unless it is opening.
 * Call it with the lock of the list held.
 */
static struct link *link_find(const u8 id[16])
{
	struct link *link;

	list_for_each_entry(link, &links.links, node) {
		if (memcmp(link->id, id, sizeof(link->id)) ||
		    link_is_dead(link))
			continue;
		if (link->opening || kref_get_unless_zero(&link->ref))
			return link;
	}
	return NULL;
}

/* Have the service thread free a link without references, for it may still use it. */
static void link_last(struct kref *ref)
{
	struct link *link = container_of(ref, struct link, ref);

	pthread_mutex_lock(&links.lock);
	list_move_tail(&link->node, &links.closed);
	pthread_mutex_unlock(&links.lock);
	peers_poke();
}

void link_put(struct link *link)
{
	kref_put(&link->ref, link_last);
}

static void link_unmap(struct link *link)
{
	int i;

	for (i = 0; i < WIRE_AREAS; i++)
		if (link->areas[i])
			munmap(link->areas[i], link->sizes[i]);
}

static void link_free(struct link *link)
{
	struct link_note *note, *next;

	link_unmap(link);
	if (link->place >= 0) {
		peers_unwatch(&link->watch);
		peers_close(link->place);
	}
	list_for_each_entry_safe(note, next, &link->unsent, node)
		free(note);
	pthread_mutex_destroy(&link->lock);
	pthread_cond_destroy(&link->changed);
	free(link);
}

void link_reap_closed(void)
{
	struct link *link;

	for (;;) {
		pthread_mutex_lock(&links.lock);
		link = list_first_entry_or_null(&links.closed, struct link,
						node);
		if (link) {
			list_del(&link->node);
			links.used &= ~BIT_ULL(link->index);
		}
		pthread_mutex_unlock(&links.lock);
		if (!link)
			return;
		link_free(link);
	}
}

void link_end(void)
{
	link_reap_closed();
	BUG_ON(!list_empty(&links.links));
}

void link_stir(struct link *link)
{
	if (__atomic_exchange_n(&link->stirred, true, __ATOMIC_SEQ_CST))
		return;
	__atomic_store_n(&links.stirred, true, __ATOMIC_SEQ_CST);
	peers_poke();
}

bool link_were_stirred(void)
{
	return __atomic_exchange_n(&links.stirred, false, __ATOMIC_SEQ_CST);
}

struct link *link_next_stirred(void)
{
	struct link *link, *found = NULL;

	pthread_mutex_lock(&links.lock);
	list_for_each_entry(link, &links.links, node) {
		if (!READ_ONCE(link->stirred) ||
		    !kref_get_unless_zero(&link->ref))
			continue;
		found = link;
		break;
	}
	pthread_mutex_unlock(&links.lock);
	return found;
}

/* Call it with the lock of the list held. */
static struct link *link_create(const u8 id[16])
{
	struct link *link;

	if (!~links.used)
		return ERR_PTR(-EDQUOT);
	link = calloc(1, sizeof(*link));
	if (!link)
		return ERR_PTR(-ENOMEM);
	kref_init(&link->ref);
	link->index = __builtin_ctzll(~links.used);
	memcpy(link->id, id, sizeof(link->id));
	link->place = -1;
	link->opening = true;
	pthread_mutex_init(&link->lock, NULL);
	pthread_cond_init(&link->changed, NULL);
	INIT_LIST_HEAD(&link->unsent);
	list_add_tail(&link->node, &links.links);
	links.used |= BIT_ULL(link->index);
	static_assert(LINKS_MAX == 64);
	return link;
}

int link_wait(pthread_cond_t *cond, pthread_mutex_t *lock, u64 until)
{
	struct timespec at = { until / NSEC_PER_SEC, until % NSEC_PER_SEC };

	return -pthread_cond_clockwait(cond, lock, CLOCK_MONOTONIC, &at);
}

struct link *link_get_any(const u8 id[16], bool *found, u64 until)
{
	struct link *link;
	int rc = 0;

	pthread_mutex_lock(&links.lock);
	while ((link = link_find(id)) && link->opening && !rc)
		rc = link_wait(&links.opened, &links.lock, until);
	*found = link && !link->opening;
	if (link && link->opening)
		link = ERR_PTR(rc);
	else if (!link)
		link = link_create(id);
	pthread_mutex_unlock(&links.lock);
	return link;
}

/* A link that failed to open is unknown to others, so free it at once. */
void link_opened(struct link *link, bool failed)
{
	pthread_mutex_lock(&links.lock);
	link->opening = false;
	if (failed) {
		list_del(&link->node);
		links.used &= ~BIT_ULL(link->index);
	}
	pthread_cond_broadcast(&links.opened);
	pthread_mutex_unlock(&links.lock);
	if (failed)
		link_free(link);
}
