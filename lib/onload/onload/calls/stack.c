// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Functions for stacks, which do not exist here: options are checked and kept, so that
 * programs can read them back.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bypass/bypass.h"

#define NAME_MAX_LEN 15
#define OPTIONS_MAX 64
#define TEXT_MAX 64

/*
 * @name: empty if unused
 */
struct stack_option {
	char name[TEXT_MAX];
	char text[TEXT_MAX];
	int64_t value;
	bool is_text;
};

static struct stack_option options[OPTIONS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PER_THREAD unsigned int spins;

EXPORT int onload_is_present(void)
{
	return 1;
}

EXPORT int onload_set_stackname(enum onload_stackname_who who,
				enum onload_stackname_scope scope,
				const char *stackname)
{
	if ((unsigned int)who > ONLOAD_ALL_THREADS ||
	    (unsigned int)scope > ONLOAD_SCOPE_GLOBAL) {
		errno = EINVAL;
		return -1;
	}
	if (stackname && strlen(stackname) > NAME_MAX_LEN) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return 0;
}

EXPORT int onload_stackname_save(void)
{
	return 0;
}

EXPORT int onload_stackname_restore(void)
{
	return 0;
}

static bool is_option(const char *opt)
{
	return opt && !strncmp(opt, "EF_", 3) && strlen(opt) < TEXT_MAX;
}

/* Return the option, or a place for it; NULL if there is no room. */
static struct stack_option *find_option(const char *opt, bool exists)
{
	struct stack_option *room = NULL;

	for (size_t i = 0; i < OPTIONS_MAX; i++) {
		if (!strcmp(options[i].name, opt))
			return &options[i];
		if (!room && !*options[i].name)
			room = &options[i];
	}
	return exists ? NULL : room;
}

static int set_option(const struct stack_option *value)
{
	struct stack_option *option;

	pthread_mutex_lock(&lock);
	option = find_option(value->name, false);
	if (option)
		*option = *value;
	pthread_mutex_unlock(&lock);
	return option ? 0 : -ENOMEM;
}

EXPORT int onload_stack_opt_set_int(const char *opt, int64_t val)
{
	struct stack_option value = { .value = val };

	if (!is_option(opt))
		return -EINVAL;
	strcpy(value.name, opt);
	return set_option(&value);
}

EXPORT int onload_stack_opt_set_str(const char *opt, const char *val)
{
	struct stack_option value = { .is_text = true };

	if (!is_option(opt) || !val || strlen(val) >= TEXT_MAX)
		return -EINVAL;
	strcpy(value.name, opt);
	strcpy(value.text, val);
	return set_option(&value);
}

static int get_option(const char *opt, bool is_text, struct stack_option *value)
{
	const struct stack_option *option;

	if (!is_option(opt))
		return -EINVAL;
	pthread_mutex_lock(&lock);
	option = find_option(opt, true);
	if (option)
		*value = *option;
	pthread_mutex_unlock(&lock);
	return option && value->is_text == is_text ? 0 : -EINVAL;
}

EXPORT int onload_stack_opt_get_int(const char *opt, int64_t *val)
{
	struct stack_option value;

	if (!val || get_option(opt, false, &value))
		return -EINVAL;
	*val = value.value;
	return 0;
}

EXPORT int onload_stack_opt_get_str(const char *opt, char *val_out,
				    size_t *val_out_len)
{
	struct stack_option value;
	size_t room;

	if (!val_out || !val_out_len || get_option(opt, true, &value))
		return -EINVAL;
	room = *val_out_len;
	*val_out_len = strlen(value.text) + 1;
	if (room < *val_out_len)
		return -ENOSPC;
	strcpy(val_out, value.text);
	return 0;
}

EXPORT int onload_stack_opt_reset(void)
{
	pthread_mutex_lock(&lock);
	memset(options, 0, sizeof(options));
	pthread_mutex_unlock(&lock);
	return 0;
}

EXPORT int onload_fd_stat(int fd, struct onload_stat *stat)
{
	int err, saved = errno;
	struct sock *sock;
	uint64_t cookie;
	char *name;

	err = sock_get(fd, &sock, &cookie);
	if (!err)
		bypass_attend(fd, sock);
	name = !err && stat ? strdup(atomic_load(&sock->stats)->path) : NULL;
	errno = saved;
	if (!name)
		return 0;
	*stat = (struct onload_stat){ .stack_id = getpid(),
				      .stack_name = name,
				      .endpoint_id = fd };
	return 1;
}

EXPORT int onload_thread_set_spin(enum onload_spin_type type, int spin)
{
	unsigned int bits;

	if ((unsigned int)type >= ONLOAD_SPIN_MAX)
		return -EINVAL;
	bits = 1u << type;
	if (type == ONLOAD_SPIN_ALL || type == ONLOAD_SPIN_MIMIC_EF_POLL)
		bits = (1u << ONLOAD_SPIN_MAX) - 1;
	spins = spin ? spins | bits : spins & ~bits;
	return 0;
}

EXPORT int onload_thread_get_spin(unsigned int *state)
{
	if (!state)
		return -EINVAL;
	*state = spins;
	return 0;
}

bool spin_wanted(void)
{
	return spins & 1u << ONLOAD_SPIN_UDP_RECV;
}

EXPORT int onload_fd_check_feature(int fd, enum onload_fd_feature feature)
{
	(void)fd;
	switch (feature) {
	case ONLOAD_FD_FEAT_MSG_WARM:
	case ONLOAD_FD_FEAT_UDP_TX_TS_HDR:
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

EXPORT int onload_move_fd(int fd)
{
	socklen_t len = sizeof(int);
	int type;

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len);
}

/* NULL for sockets other than UDP, which are the kernel's in any case. */
static struct sock *of_udp(int fd)
{
	struct sock *sock;
	uint64_t cookie;

	return fd >= 0 && !sock_get(fd, &sock, &cookie) ? sock : NULL;
}

EXPORT int onload_socket_nonaccel(int domain, int type, int protocol)
{
	int fd = socket(domain, type, protocol);
	struct sock *sock = of_udp(fd);

	if (sock)
		bypass_bar(fd, sock, "onload_socket_nonaccel() asks for it");
	return fd;
}

EXPORT int onload_socket_unicast_nonaccel(int domain, int type, int protocol)
{
	int fd = socket(domain, type, protocol);
	struct sock *sock = of_udp(fd);

	if (sock)
		atomic_store(&sock->bypass->groups_only, true);
	return fd;
}
