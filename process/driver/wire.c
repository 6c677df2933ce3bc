// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Messages between processes, and how to find a process. */
#include "shim/kernel.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "ring.h"
#include "wire.h"

int wire_send(int fd, const struct wire_msg *msg, const int *fds, int nr)
{
	char control[CMSG_SPACE(WIRE_AREAS * sizeof(int))] = {};
	struct iovec iov = { (void *)msg, sizeof(*msg) };
	struct msghdr hdr = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;
	int cancel, rc;

	if (nr) {
		hdr.msg_control = control;
		hdr.msg_controllen = CMSG_SPACE(nr * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&hdr);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(nr * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, nr * sizeof(int));
	}
	cancel = inproc_hold_cancel();
	rc = sendmsg(fd, &hdr, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
	inproc_let_cancel(cancel);
	return rc;
}

/* Take all descriptors that came, asked for or not; return the number of wanted ones. */
static int take_fds(struct msghdr *hdr, int *fds, int nr)
{
	struct cmsghdr *cmsg;
	int taken = 0, i, fd;

	for (cmsg = CMSG_FIRSTHDR(hdr); cmsg; cmsg = CMSG_NXTHDR(hdr, cmsg)) {
		if (cmsg->cmsg_level != SOL_SOCKET ||
		    cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		for (i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= cmsg->cmsg_len;
		     i++) {
			memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(int),
			       sizeof(fd));
			if (taken < nr)
				fds[taken++] = fd;
			else
				close(fd);
		}
	}
	return taken;
}

int wire_recv(int fd, struct wire_msg *msg, int *fds, int nr)
{
	char control[CMSG_SPACE(WIRE_AREAS * sizeof(int))];
	struct iovec iov = { msg, sizeof(*msg) };
	struct msghdr hdr = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		/* Without room the kernel makes no descriptors for us. */
		.msg_control = nr ? control : NULL,
		.msg_controllen = nr ? sizeof(control) : 0,
	};
	ssize_t size;
	int taken, i;

	size = recvmsg(fd, &hdr, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	/* ECONNRESET comes once if the peer has ended with unread data; its messages follow. */
	if (size < 0)
		return errno == EAGAIN || errno == EINTR ||
				       errno == ECONNRESET ?
			       -EAGAIN :
			       -EPIPE;
	taken = take_fds(&hdr, fds, nr);
	if (size == sizeof(*msg) && !(hdr.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return taken;
	for (i = 0; i < taken; i++)
		close(fds[i]);
	/* Descriptors came, but we had no numbers for them. */
	if (hdr.msg_flags & MSG_CTRUNC && taken < nr)
		return -EMFILE;
	return size ? -EPROTO : -EPIPE;
}

/* since Linux 6.16 */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

void wire_refuse_fds(int fd)
{
	const int no = 0;

	setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof(no));
}

void wire_queue(struct doca_queue_create *arg)
{
	*arg = (struct doca_queue_create){
		.size = sizeof(*arg),
		.sq_entries = WIRE_TAGS,
		.cq_entries = WIRE_TAGS,
		.nr_waits = WIRE_WAITS,
	};
	static_assert((WIRE_TAGS & (WIRE_TAGS - 1)) == 0);
	static_assert(sizeof(struct wire_msg) == 256);
}

int wire_peer_uid(int fd, uid_t *uid)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) ||
	    size != sizeof(cred))
		return -EACCES;
	*uid = cred.uid;
	return 0;
}

static const char id_magic[4] = { 'P', 'R', 'O', 'C' };

bool wire_is_process(const u8 id[16])
{
	return !memcmp(id, id_magic, sizeof(id_magic));
}

void wire_identify(u8 id[16])
{
	struct wire_id *self = (void *)id;
	__le32 uid = cpu_to_le32(geteuid());

	static_assert(sizeof(struct wire_id) == 16);
	/* Other threads may be reading it. */
	if (wire_is_process(id) && self->uid == uid)
		return;
	memcpy(self->magic, id_magic, sizeof(id_magic));
	self->uid = uid;
}

static void to_hex(char *text, const u8 *bytes, int nr)
{
	while (nr--) {
		text += sprintf(text, "%02x", *bytes);
		bytes++;
	}
}

int wire_named(const char *name, struct sockaddr_un *address)
{
	const char *dir = secure_getenv("DOCA_RUNTIME_DIR");
	size_t room = sizeof(address->sun_path);
	int length;

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (dir && *dir)
		length = snprintf(address->sun_path, room, "%s/%s.sock", dir,
				  name);
	else
		length = 1 + snprintf(address->sun_path + 1, room - 1,
				      "open-doca/%s", name);
	if (length >= (int)room)
		return -EINVAL;
	return offsetof(struct sockaddr_un, sun_path) + length +
	       (address->sun_path[0] ? 1 : 0);
}

int wire_address(const u8 id[16], struct sockaddr_un *address)
{
	char hex[33];

	to_hex(hex, id, 16);
	return wire_named(hex, address);
}

int wire_check_directory(const struct sockaddr_un *address)
{
	char dir[sizeof(address->sun_path)];
	struct stat st;
	char *end;

	if (!address->sun_path[0])
		return 0;
	strscpy(dir, address->sun_path, sizeof(dir));
	end = strrchr(dir, '/');
	if (!end)
		return -EINVAL;
	*end = '\0';
	if (stat(*dir ? dir : "/", &st) || !S_ISDIR(st.st_mode))
		return -ENOTDIR;
	if (st.st_uid != geteuid() || st.st_mode & 077)
		return -EACCES;
	return 0;
}

int wire_listen(int fd, const struct sockaddr_un *address, int size,
		int backlog)
{
	int rc = wire_check_directory(address);

	if (rc)
		return rc;
	wire_refuse_fds(fd);
	if (bind(fd, (void *)address, size) || listen(fd, backlog))
		return -errno;
	return 0;
}
