// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * LISTEN and CONNECT. The kernel accepts connections for a server: the client's call joins both
 * ends, and tells them by events.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/nsproxy.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uidgid.h>

#include "conn.h"
#include "function.h"
#include "listen.h"
#include "queue.h"
#include "ucmd.h"
#include "user.h"

/**
 * struct doca_server - a server that clients can find
 * @node: in the tree
 * @function: function of the server; reference
 * @endpoint: outlives the server
 * @far: by which others find it; NULL if there is no provider of far ends
 * @user: account that is charged; reference
 * @uid: effective user id of the process
 * @max_message: bytes
 * @nr_ended: places of its endpoint's table whose connections have been closed, once it ends
 * @name: padded with zeros
 */
struct doca_server {
	struct rb_node node;
	struct doca_function *function;
	struct doca_endpoint *endpoint;
	void *far;
	struct doca_user *user;
	kuid_t uid;
	u32 max_message;
	u32 nr_ended;
	char name[DOCA_SERVER_NAME_SIZE];
};

#define DOCA_SERVER_BYTES doca_user_bytes(sizeof(struct doca_server))

/* Protects the tree, doca_endpoint.server, and doca_server.nr_ended. */
static DEFINE_SPINLOCK(doca_servers_lock);
static struct rb_root doca_servers = RB_ROOT;

static struct doca_server *doca_server_of(const struct rb_node *node)
{
	return rb_entry(node, struct doca_server, node);
}

static int doca_server_cmp_key(u32 function, const char *name,
			       const struct doca_server *server)
{
	if (function != server->function->id)
		return function < server->function->id ? -1 : 1;
	return memcmp(name, server->name, DOCA_SERVER_NAME_SIZE);
}

static int doca_server_cmp(struct rb_node *node, const struct rb_node *there)
{
	const struct doca_server *server = doca_server_of(node);

	return doca_server_cmp_key(server->function->id, server->name,
				   doca_server_of(there));
}

/* Find a server, or NULL. Call it with the lock held. */
static struct doca_server *
doca_server_find(const struct doca_function *function, const char *name)
{
	struct rb_node *node = doca_servers.rb_node;

	while (node) {
		struct doca_server *server = doca_server_of(node);
		int order = doca_server_cmp_key(function->id, name, server);

		if (!order)
			return server;
		node = order < 0 ? node->rb_left : node->rb_right;
	}
	return NULL;
}

/* A name has at least one byte, and zeros after it to the end. */
static bool doca_server_is_name(const char *name)
{
	size_t length = strnlen(name, DOCA_SERVER_NAME_SIZE);

	return length && length < DOCA_SERVER_NAME_SIZE &&
	       !memchr_inv(name + length, 0, DOCA_SERVER_NAME_SIZE - length);
}

static void doca_server_free(struct doca_server *server)
{
	if (server->far)
		doca_far_ops->unlisten(server->far);
	doca_user_uncharge(server->user, DOCA_QUOTA_OBJECT_BYTES,
			   DOCA_SERVER_BYTES, 0);
	doca_user_put(server->user);
	doca_function_put(server->function);
	kfree(server);
}

/* Make a server, and take over the reference to the function. */
static struct doca_server *
doca_server_create(struct doca_endpoint *endpoint,
		   struct doca_function *function,
		   const struct doca_queue_listen *arg)
{
	struct doca_server *server;
	int rc;

	rc = doca_user_charge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
			      DOCA_SERVER_BYTES, 0);
	if (rc)
		return ERR_PTR(rc);
	server = kzalloc(sizeof(*server), GFP_KERNEL_ACCOUNT);
	if (!server) {
		doca_user_uncharge(endpoint->user, DOCA_QUOTA_OBJECT_BYTES,
				   DOCA_SERVER_BYTES, 0);
		return ERR_PTR(-ENOMEM);
	}
	server->function = function;
	server->endpoint = endpoint;
	server->user = doca_user_get(endpoint->user);
	server->uid = current_euid();
	server->max_message = arg->max_message;
	memcpy(server->name, arg->name, sizeof(server->name));
	return server;
}

/* Call it with the lock held. */
static void doca_server_unlink(struct doca_server *server)
{
	rb_erase(&server->node, &doca_servers);
	server->endpoint->server = NULL;
}

/* Find any server of a function, or NULL. Call it with the lock held. */
static struct doca_server *
doca_server_of_function(const struct doca_function *function)
{
	struct rb_node *node = doca_servers.rb_node;

	while (node) {
		struct doca_server *server = doca_server_of(node);

		if (server->function == function)
			return server;
		node = function->id < server->function->id ? node->rb_left :
							     node->rb_right;
	}
	return NULL;
}

/*
 * Return one of the server's connections, with a reference, to be closed first; or NULL, and
 * the server has ended. Call it with the lock held, which keeps the server.
 */
static struct doca_conn_end *doca_server_end_next(struct doca_server *server)
{
	struct doca_conn_end *end;

	doca_endpoint_kill(server->endpoint);
	end = doca_conn_next(server->endpoint, &server->nr_ended);
	if (end)
		return end;
	doca_server_unlink(server);
	doca_queue_set_removed(server->endpoint->inbox.queue);
	return NULL;
}

/* End the queues of its servers as if their device had been removed. */
static void doca_listen_end_function(struct doca_function *function)
{
	struct doca_server *server;
	struct doca_conn_end *end;

	for (;;) {
		end = NULL;
		spin_lock(&doca_servers_lock);
		server = doca_server_of_function(function);
		if (server)
			end = doca_server_end_next(server);
		spin_unlock(&doca_servers_lock);
		if (!server)
			return;
		if (end) {
			doca_conn_close(end->conn, NULL);
			doca_conn_put(end->conn);
		} else {
			doca_server_free(server);
		}
		cond_resched();
	}
}

/*
 * Return -EADDRINUSE, -EBUSY, or -ENXIO if the queue or the function has ended by now. Call it
 * with the lock held.
 */
static int doca_server_publish(struct doca_server *server)
{
	struct doca_endpoint *endpoint = server->endpoint;
	struct doca_function *function = server->function;

	if (READ_ONCE(endpoint->dead))
		return -ENXIO;
	if (endpoint->server)
		return -EBUSY;
	if (rb_find_add(&server->node, &doca_servers, doca_server_cmp))
		return -EADDRINUSE;
	endpoint->server = server;
	/* A function that ends from now on will call it. */
	WRITE_ONCE(function->ended, doca_listen_end_function);
	if (doca_function_is_there(function))
		return 0;
	doca_server_unlink(server);
	return -ENXIO;
}

/* Return what doca_server_publish() will, if nothing changes. Call it with the lock held. */
static int doca_server_check(const struct doca_server *server)
{
	if (READ_ONCE(server->endpoint->dead))
		return -ENXIO;
	if (server->endpoint->server)
		return -EBUSY;
	return doca_server_find(server->function, server->name) ? -EADDRINUSE :
								  0;
}

/* Others may find it a moment before it accepts, and try again. */
static int doca_server_be_found(struct doca_server *server)
{
	int rc;

	if (!doca_far_ops)
		return 0;
	spin_lock(&doca_servers_lock);
	rc = doca_server_check(server);
	spin_unlock(&doca_servers_lock);
	return rc ?: doca_far_ops->listen(server->function, server->name,
					  &server->far);
}

static int doca_server_listen(struct doca_endpoint *endpoint,
			      struct doca_function *function,
			      const struct doca_queue_listen *arg)
{
	struct doca_server *server;
	int rc;

	server = doca_server_create(endpoint, function, arg);
	if (IS_ERR(server)) {
		doca_function_put(function);
		return PTR_ERR(server);
	}
	rc = doca_server_be_found(server);
	if (!rc) {
		spin_lock(&doca_servers_lock);
		rc = doca_server_publish(server);
		spin_unlock(&doca_servers_lock);
	}
	if (rc)
		doca_server_free(server);
	return rc;
}

int doca_ioctl_queue_listen(struct doca_ucmd *ucmd)
{
	const struct doca_queue_listen *arg = ucmd->arg;
	struct doca_queue *queue = ucmd->owner;
	struct doca_function *function;
	int rc;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (!doca_server_is_name(arg->name) || !arg->max_message)
		return -EINVAL;
	function =
		doca_function_find(arg->function_id, current->nsproxy->net_ns);
	if (!function)
		return -ENXIO;
	rc = function->dpu.device == queue->device ? 0 : -ENXIO;
	rc = rc	   ?:
		     doca_endpoint_claim(queue->endpoint, DOCA_ROLE_SERVER,
					 arg->max_message);
	if (rc) {
		doca_function_put(function);
		return rc;
	}
	return doca_server_listen(queue->endpoint, function, arg);
}

bool doca_listen_info(struct doca_endpoint *endpoint,
		      struct doca_listen_info *info)
{
	const struct doca_server *server;

	spin_lock(&doca_servers_lock);
	server = endpoint->server;
	if (server) {
		info->function_id = server->function->id;
		strscpy(info->function, server->function->name,
			sizeof(info->function));
		memcpy(info->name, server->name, sizeof(info->name));
		info->max_message = server->max_message;
	}
	spin_unlock(&doca_servers_lock);
	return server;
}

void doca_listen_end(struct doca_endpoint *endpoint)
{
	struct doca_server *server;

	spin_lock(&doca_servers_lock);
	server = endpoint->server;
	if (server)
		doca_server_unlink(server);
	spin_unlock(&doca_servers_lock);
	if (server)
		doca_server_free(server);
}

/* Return true if the function lets this user connect. */
static bool doca_server_lets(const struct doca_server *server, kuid_t uid)
{
	return server->function->any_user || uid_eq(server->uid, uid);
}

static void doca_server_tell(struct doca_conn_end *end)
{
	doca_conn_tell(end, &(struct doca_event){
				    .type = DOCA_EVENT_CONNECTED,
				    .length = end->conn->max_message,
			    });
}

/* Return a &enum doca_status. Call it with the locks of the servers and of the connection held. */
static u16 doca_server_accept(struct doca_server *server, kuid_t uid,
			      struct doca_conn *conn, u32 max_message)
{
	struct doca_conn_end *end = &conn->ends[DOCA_CONN_SERVER];

	if (!server ||
	    READ_ONCE(server->endpoint->inbox.queue->state) != DOCA_QUEUE_RUN)
		return DOCA_STATUS_NOT_CONNECTED;
	if (!doca_server_lets(server, uid))
		return DOCA_STATUS_BAD_ACCESS;
	if (READ_ONCE(server->endpoint->nr_ends) >= DOCA_MAX_CLIENTS ||
	    doca_conn_join(end, server->endpoint))
		return DOCA_STATUS_NO_SPACE;
	conn->max_message = min(max_message, server->max_message);
	doca_server_tell(end);
	return DOCA_STATUS_SUCCESS;
}

/* Call it with the lock of the connection held. */
static void doca_client_tell(struct doca_conn *conn, u16 status)
{
	if (status)
		doca_conn_refuse(conn, status);
	else
		doca_server_tell(&conn->ends[DOCA_CONN_CLIENT]);
}

u32 doca_listen_accept(const struct doca_function *function, const char *name,
		       kuid_t uid, u32 max_message, struct doca_conn *conn)
{
	struct doca_far *far = conn->ends[DOCA_CONN_CLIENT].far;
	u32 status;

	spin_lock(&doca_servers_lock);
	spin_lock(&conn->lock);
	status = doca_server_accept(doca_server_find(function, name), uid,
				    conn, max_message);
	if (!status) {
		far->open = true;
		doca_far_ops->accepted(far);
	}
	spin_unlock(&conn->lock);
	spin_unlock(&doca_servers_lock);
	return status;
}

void doca_listen_answered(struct doca_conn *conn, u32 status, u32 max_message)
{
	lockdep_assert_held(&conn->lock);
	conn->max_message = min(conn->max_message, max_message);
	conn->ends[DOCA_CONN_SERVER].far->open = !status;
	doca_client_tell(conn, status);
}

/* Return false if there is no such server here. */
static bool doca_server_connect_here(const struct doca_function *function,
				     const struct doca_queue_connect *arg,
				     struct doca_conn *conn)
{
	struct doca_server *server;

	spin_lock(&doca_servers_lock);
	server = doca_server_find(function, arg->name);
	spin_lock(&conn->lock);
	if (!conn->closed && (server || !doca_far_ops))
		doca_client_tell(conn,
				 doca_server_accept(server, current_euid(),
						    conn, arg->max_message));
	spin_unlock(&conn->lock);
	spin_unlock(&doca_servers_lock);
	return server;
}

/* The client's end is joined, but may have been closed since then. */
static void doca_server_connect(struct doca_function *function,
				const struct doca_queue_connect *arg,
				struct doca_conn *conn)
{
	u32 status;

	if (doca_server_connect_here(function, arg, conn) || !doca_far_ops)
		return;
	conn->max_message = arg->max_message;
	status = doca_far_ops->connect(function, arg->name, arg->max_message,
				       conn);
	if (!status)
		return;
	spin_lock(&conn->lock);
	if (!conn->closed)
		doca_conn_refuse(conn, status);
	spin_unlock(&conn->lock);
}

static int doca_client_connect(struct doca_endpoint *endpoint,
			       struct doca_function *function,
			       struct doca_ucmd *ucmd)
{
	struct doca_queue_connect *arg = ucmd->arg;
	struct doca_conn *conn = doca_conn_create();
	struct doca_conn_end *end;
	int rc;

	if (!conn)
		return -ENOMEM;
	end = &conn->ends[DOCA_CONN_CLIENT];
	spin_lock(&conn->lock);
	rc = doca_conn_join(end, endpoint);
	spin_unlock(&conn->lock);
	if (rc)
		goto out;
	/* The answer comes before the event that names it. */
	arg->out_connection = end->id;
	rc = doca_ucmd_respond(ucmd);
	if (rc)
		doca_conn_close(conn, end);
	else
		doca_server_connect(function, arg, conn);
out:
	doca_conn_put(conn);
	return rc;
}

/* Find the only function that has this device on the host's side, with a reference; or NULL. */
static struct doca_function *
doca_function_of_host(const struct doca_device *device)
{
	const struct net *net = current->nsproxy->net_ns;
	struct doca_function *function;
	u32 id = 0;

	while ((function = doca_function_next(id, net))) {
		if (function->host.device == device)
			return function;
		id = function->id;
		doca_function_put(function);
	}
	return NULL;
}

int doca_ioctl_queue_connect(struct doca_ucmd *ucmd)
{
	const struct doca_queue_connect *arg = ucmd->arg;
	struct doca_queue *queue = ucmd->owner;
	struct doca_function *function;
	int rc;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (!doca_server_is_name(arg->name) || !arg->max_message)
		return -EINVAL;
	function = doca_function_of_host(queue->device);
	if (!function)
		return -ENXIO;
	rc = doca_endpoint_claim(queue->endpoint, DOCA_ROLE_CLIENT, arg->max_message) ?:
		     doca_client_connect(queue->endpoint, function, ucmd);
	doca_function_put(function);
	return rc;
}
