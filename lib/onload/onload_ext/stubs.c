// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The static part, which programs link with. Under onload(1) libonload.so stands before
 * the shared library, so these are not called. It does not stand before a static
 * library, so these look for the function behind them. Without it each returns what its
 * header says.
 */
#include <dlfcn.h>
#include <errno.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#define EXPORT __attribute__((visibility("default")))

/* Find the function of libonload.so, or NULL; look once. */
static void *find(void **cache, const char *name, void *self)
{
	void *real = __atomic_load_n(cache, __ATOMIC_RELAXED);

	if (!real) {
		real = dlsym(RTLD_NEXT, name);
		/* The cache names the stub itself if there is none. */
		if (!real)
			real = self;
		__atomic_store_n(cache, real, __ATOMIC_RELAXED);
	}
	return real == self ? NULL : real;
}

/* A function, its parameters, how they are passed on, and its own result. */
#define STUB(type, name, params, args, answer)                             \
	EXPORT type name params                                            \
	{                                                                  \
		static void *cache;                                        \
		type(*real) params =                                       \
			(type(*) params)find(&cache, #name, (void *)name); \
                                                                           \
		return real ? real args : (answer);                        \
	}

#define NO_SYS (errno = ENOSYS, -1)

STUB(int, onload_is_present, (void), (), 0)
STUB(int, onload_set_stackname,
     (enum onload_stackname_who who, enum onload_stackname_scope scope,
      const char *stackname),
     (who, scope, stackname), 0)
STUB(int, onload_stackname_save, (void), (), 0)
STUB(int, onload_stackname_restore, (void), (), 0)
STUB(int, onload_stack_opt_set_int, (const char *opt, int64_t val), (opt, val),
     0)
STUB(int, onload_stack_opt_get_int, (const char *opt, int64_t *val), (opt, val),
     -ENOSYS)
STUB(int, onload_stack_opt_set_str, (const char *opt, const char *val),
     (opt, val), 0)
STUB(int, onload_stack_opt_get_str,
     (const char *opt, char *val_out, size_t *val_out_len),
     (opt, val_out, val_out_len), -ENOSYS)
STUB(int, onload_stack_opt_reset, (void), (), 0)
STUB(int, onload_fd_stat, (int fd, struct onload_stat *stat), (fd, stat), 0)
STUB(int, onload_thread_set_spin, (enum onload_spin_type type, int spin),
     (type, spin), 0)
STUB(int, onload_thread_get_spin, (unsigned int *state), (state),
     state ? (*state = 0, 0) : -EINVAL)
STUB(int, onload_fd_check_feature, (int fd, enum onload_fd_feature feature),
     (fd, feature), -ENOSYS)
STUB(int, onload_move_fd, (int fd), (fd), 0)
STUB(int, onload_ordered_epoll_wait,
     (int epfd, struct epoll_event *events,
      struct onload_ordered_epoll_event *oo_events, int maxevents, int timeout),
     (epfd, events, oo_events, maxevents, timeout), NO_SYS)
STUB(enum onload_delegated_send_rc, onload_delegated_send_prepare,
     (int fd, int size, unsigned int flags, struct onload_delegated_send *out),
     (fd, size, flags, out), ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET)
STUB(int, onload_delegated_send_complete,
     (int fd, const struct iovec *iov, int iovlen, int flags),
     (fd, iov, iovlen, flags), NO_SYS)
STUB(int, onload_delegated_send_cancel, (int fd), (fd), NO_SYS)
STUB(int, onload_get_tcp_info,
     (int fd, struct onload_tcp_info *info, int *len_in_out),
     (fd, info, len_in_out), NO_SYS)
STUB(int, onload_socket_nonaccel, (int domain, int type, int protocol),
     (domain, type, protocol), NO_SYS)
STUB(int, onload_socket_unicast_nonaccel, (int domain, int type, int protocol),
     (domain, type, protocol), NO_SYS)
STUB(int, onload_timestamping_request, (int fd, unsigned int flags),
     (fd, flags), -ENOSYS)

STUB(int, onload_zc_recv, (int fd, struct onload_zc_recv_args *args),
     (fd, args), -ENOSYS)
STUB(int, onload_recvmsg_kernel, (int fd, struct msghdr *msg, int flags),
     (fd, msg, flags), -ENOSYS)
STUB(int, onload_zc_alloc_buffers,
     (int fd, struct onload_zc_iovec *iovecs, int iovecs_len,
      enum onload_zc_buffer_type_flags flags),
     (fd, iovecs, iovecs_len, flags), -ENOSYS)
STUB(int, onload_zc_release_buffers,
     (int fd, onload_zc_handle *bufs, int bufs_len), (fd, bufs, bufs_len),
     -ENOSYS)
STUB(int, onload_set_recv_filter,
     (int fd, onload_zc_recv_filter_callback filter, void *cb_arg, int flags),
     (fd, filter, cb_arg, flags), -ENOSYS)
STUB(int, onload_zc_send, (struct onload_zc_mmsg * msgs, int mlen, int flags),
     (msgs, mlen, flags), -ENOSYS)
STUB(int, onload_zc_buffer_incref, (int fd, onload_zc_handle buf), (fd, buf),
     -ENOSYS)
STUB(int, onload_zc_buffer_decref, (int fd, onload_zc_handle buf), (fd, buf),
     -ENOSYS)
STUB(int, onload_msg_template_alloc,
     (int fd, const struct iovec *initial_msg, int mlen,
      onload_template_handle *handle, unsigned int flags),
     (fd, initial_msg, mlen, handle, flags), -ENOSYS)
STUB(int, onload_msg_template_update,
     (int fd, onload_template_handle handle,
      const struct onload_template_msg_update_iovec *updates, int ulen,
      unsigned int flags),
     (fd, handle, updates, ulen, flags), -ENOSYS)
STUB(int, onload_msg_template_abort, (int fd, onload_template_handle handle),
     (fd, handle), -ENOSYS)
