/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_flow.h
 * @brief Flows: which frames go to which receive queue.
 *
 * This is not the whole of DOCA Flow, but what filters the frames of receive
 * queues. The version of its package, doca-flow, is that of Open DOCA, so that
 * a project which asks for a release of the whole does not find it.
 *
 * A rule of this library takes frames of a network interface away from the
 * kernel and gives them to a queue of doca_eth_rxq.h, or drops them. It is an
 * entry of a pipe; a pipe belongs to a port, and a port to a device. An XDP
 * program on the interface applies the rules; it goes with the process, however
 * that ends. Frames without a rule, frames of a queue that is not started, and
 * frames that are too long go to the kernel.
 *
 * Supported are basic root pipes in the modes "vnf" and "vnf,isolated". They
 * match all frames, which takes away those of RDMA over Ethernet as well, or
 * the destination of UDP over IPv4: a port, and an address or any. Fragments,
 * IP options and VLAN tags are never matched by the latter. Frames go to one
 * queue (RSS) or are dropped; what misses goes to the kernel or is dropped. In a
 * pipe's match and actions 0 stands for nothing, all ones for what the entry
 * says, and everything else holds for all entries. Calls that are not
 * supported return NOT_SUPPORTED, and a line in the log says what was asked for.
 *
 * Rules and queues may be made in either order, and must be of the same
 * process. They need CAP_NET_ADMIN and CAP_BPF.
 *
 * Thread safety: one thread at a time may be in the functions of this library.
 * Objects that were destroyed must not be used, in debug mode either.
 */
#ifndef DOCA_FLOW_H
#define DOCA_FLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_flow_net.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_flow_action_descs;
struct doca_flow_cfg;
struct doca_flow_monitor;
struct doca_flow_pipe;
struct doca_flow_pipe_cfg;
struct doca_flow_pipe_entry;
struct doca_flow_port;
struct doca_flow_port_cfg;

/** @brief Destination of frames. @since DOCA 3.0 */
enum doca_flow_fwd_type {
	DOCA_FLOW_FWD_RSS = 1, /**< to receive queues, of which there is one */
	DOCA_FLOW_FWD_DROP = 4, /**< nowhere */
};

/** @brief Kinds of pipes. @since DOCA 3.0 */
enum doca_flow_pipe_type {
	DOCA_FLOW_PIPE_BASIC = 0, /**< entries that all match the same fields */
};

/** @brief Owner of a resource. @since DOCA 3.0 */
enum doca_flow_resource_type {
	DOCA_FLOW_RESOURCE_TYPE_NON_SHARED = 2, /**< of one forward */
};

/** @brief Fields that spread frames; there is one queue. @since DOCA 3.0 */
enum doca_rss_type {
	DOCA_FLOW_RSS_IPV4 = (1 << 0), /**< addresses of IPv4 */
	DOCA_FLOW_RSS_UDP = (1 << 2), /**< ports of UDP */
};

/** @brief Values that go with a frame. @since DOCA 3.0 */
struct doca_flow_meta {
	doca_be32_t
		pkt_meta; /**< metadata, see doca_eth_rxq_set_metadata_num() */
	doca_be32_t mark; /**< flow tag, see doca_eth_rxq_set_flow_tag() */
};

/** @brief Actions on frames that match. @since DOCA 3.0 */
struct doca_flow_actions {
	struct doca_flow_meta meta; /**< values that go with them */
};

/** @brief Fields to match. @since DOCA 3.0 */
struct doca_flow_match {
	uint32_t flags; /**< 0 */
	struct doca_flow_header_format outer; /**< the frame's headers */
	struct doca_flow_header_format inner; /**< a tunnel's; zeros */
};

/** @brief Receive queues. @since DOCA 3.0 */
struct doca_flow_resource_rss_cfg {
	uint32_t outer_flags; /**< enum doca_rss_type; ignored */
	uint16_t *queues_array; /**< of doca_eth_rxq_get_flow_queue_id() */
	int nr_queues; /**< 1 */
};

/** @brief Destination of frames. @since DOCA 3.0 */
struct doca_flow_fwd {
	enum doca_flow_fwd_type type; /**< to queues or nowhere */
	union {
		__extension__ struct {
			enum doca_flow_resource_type rss_type; /**< NON_SHARED */
			union {
				struct doca_flow_resource_rss_cfg
					rss; /**< which */
			};
		};
	};
};

/**
 * @brief Create the configuration of the library.
 *
 * @param[out] cfg  Configuration. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_cfg_create(struct doca_flow_cfg **cfg);

/**
 * @brief Destroy a configuration, which nothing needs once it was used.
 *
 * @param[in] cfg  Configuration.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_cfg_destroy(struct doca_flow_cfg *cfg);

/**
 * @brief Set the mode.
 *
 * @param[in] cfg        Configuration.
 * @param[in] mode_args  "vnf" or "vnf,isolated", which are the same.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is another.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_cfg_set_mode_args(struct doca_flow_cfg *cfg,
					 const char *mode_args);

/**
 * @brief Set how many counters there are; they are not used.
 *
 * @param[in] cfg          Configuration.
 * @param[in] nr_counters  Counters.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_cfg_set_nr_counters(struct doca_flow_cfg *cfg,
					   uint32_t nr_counters);

/**
 * @brief Set from how many queues entries are added; all are alike.
 *
 * @param[in] cfg          Configuration.
 * @param[in] pipe_queues  Queues, not 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL, or the number 0.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_cfg_set_pipe_queues(struct doca_flow_cfg *cfg,
					   uint16_t pipe_queues);

/**
 * @brief Initialize the library.
 *
 * @param[in] cfg  Configuration.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The mode is not set.
 * @retval DOCA_ERROR_ALREADY_EXIST  It is initialized already.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_init(struct doca_flow_cfg *cfg);

/**
 * @brief Undo that, with all ports.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
void doca_flow_destroy(void);

/**
 * @brief Create the configuration of a port.
 *
 * @param[out] cfg  Configuration. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_port_cfg_create(struct doca_flow_port_cfg **cfg);

/**
 * @brief Destroy a configuration, which nothing needs once it was used.
 *
 * @param[in] cfg  Configuration.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_port_cfg_destroy(struct doca_flow_port_cfg *cfg);

/**
 * @brief Set the device of a port.
 *
 * @param[in] cfg  Configuration.
 * @param[in] dev  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_port_cfg_set_dev(struct doca_flow_port_cfg *cfg,
					struct doca_dev *dev);

/**
 * @brief Set the number of a port.
 *
 * No function finds a port by its number, so ports of several devices may have
 * the same.
 *
 * @param[in] cfg      Configuration.
 * @param[in] port_id  Number, 0 at first.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_port_cfg_set_port_id(struct doca_flow_port_cfg *cfg,
					    uint16_t port_id);

/**
 * @brief Start a port.
 *
 * @param[in] cfg    Configuration.
 * @param[out] port  Port. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The library is not initialized, or there
 *                                   is no device.
 * @retval DOCA_ERROR_ALREADY_EXIST  There is a port of that device.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_port_start(const struct doca_flow_port_cfg *cfg,
				  struct doca_flow_port **port);

/**
 * @brief Stop a port, with its pipes.
 *
 * @param[in] port  Port; it is gone.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p port is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_port_stop(struct doca_flow_port *port);

/**
 * @brief See to entries that were added, which have taken effect by then.
 *
 * @param[in] port                   Port.
 * @param[in] pipe_queue             Queue from which they were added.
 * @param[in] timeout                How long to wait, in microseconds.
 * @param[in] max_processed_entries  How many to see to.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p port is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_entries_process(struct doca_flow_port *port,
				       uint16_t pipe_queue, uint64_t timeout,
				       uint32_t max_processed_entries);

/**
 * @brief Create the configuration of a pipe.
 *
 * @param[out] cfg  Configuration. Set on success only.
 * @param[in] port  Port of the pipe.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_pipe_cfg_create(struct doca_flow_pipe_cfg **cfg,
				       struct doca_flow_port *port);

/**
 * @brief Destroy a configuration, which nothing needs once it was used.
 *
 * @param[in] cfg  Configuration.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_pipe_cfg_destroy(struct doca_flow_pipe_cfg *cfg);

/**
 * @brief Set the name of a pipe, which is not used.
 *
 * @param[in] cfg   Configuration.
 * @param[in] name  Name.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_pipe_cfg_set_name(struct doca_flow_pipe_cfg *cfg,
					 const char *name);

/**
 * @brief Set the kind of a pipe.
 *
 * @param[in] cfg   Configuration.
 * @param[in] type  Kind.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is not basic.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_pipe_cfg_set_type(struct doca_flow_pipe_cfg *cfg,
					 enum doca_flow_pipe_type type);

/**
 * @brief Set whether a pipe is the one at which frames begin.
 *
 * @param[in] cfg      Configuration.
 * @param[in] is_root  True, for a pipe that can be created.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_flow_pipe_cfg_set_is_root(struct doca_flow_pipe_cfg *cfg,
					    bool is_root);

/**
 * @brief Set the match of a pipe; by default it is every frame.
 *
 * @param[in] cfg         Configuration.
 * @param[in] match       What it matches. It is copied.
 * @param[in] match_mask  NULL.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg or @p match is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  There is a mask.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_flow_pipe_cfg_set_match(struct doca_flow_pipe_cfg *cfg,
			     const struct doca_flow_match *match,
			     const struct doca_flow_match *match_mask);

/**
 * @brief Set the actions of a pipe on frames that match.
 *
 * @param[in] cfg            Configuration.
 * @param[in] actions        Array with the actions. They are copied.
 * @param[in] actions_masks  NULL.
 * @param[in] action_descs   NULL.
 * @param[in] nr_actions     1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cfg, @p actions, its element or @p
 *                                   nr_actions is NULL or 0.
 * @retval DOCA_ERROR_NOT_SUPPORTED  There are more actions, masks or
 *                                   descriptions.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_pipe_cfg_set_actions(
	struct doca_flow_pipe_cfg *cfg,
	struct doca_flow_actions *const *actions,
	struct doca_flow_actions *const *actions_masks,
	struct doca_flow_action_descs *const *action_descs, size_t nr_actions);

/**
 * @brief Create a pipe.
 *
 * @param[in] cfg       Configuration.
 * @param[in] fwd       Where frames of its entries go; NULL if each entry says
 *                      so.
 * @param[in] fwd_miss  Where frames go that no entry matches: nowhere, or NULL
 *                      for the kernel.
 * @param[out] pipe     Pipe. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p cfg or @p pipe is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED   It is no root, or frames are to go
 *                                    elsewhere.
 * @retval DOCA_ERROR_ALREADY_EXIST   Frames that miss are dropped, or all are
 *                                    matched, by another pipe of the port.
 * @retval DOCA_ERROR_NOT_PERMITTED   The process has not the capabilities that
 *                                    it takes.
 * @retval DOCA_ERROR_IN_USE          Another XDP program is on the interface.
 * @retval DOCA_ERROR_INITIALIZATION  The kernel refuses it for another reason,
 *                                    which is in the log.
 * @retval DOCA_ERROR_NO_MEMORY       No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_pipe_create(const struct doca_flow_pipe_cfg *cfg,
				   const struct doca_flow_fwd *fwd,
				   const struct doca_flow_fwd *fwd_miss,
				   struct doca_flow_pipe **pipe);

/**
 * @brief Destroy a pipe, with its entries.
 *
 * @param[in] pipe  Pipe.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
void doca_flow_pipe_destroy(struct doca_flow_pipe *pipe);

/**
 * @brief Add an entry to a pipe. It takes effect at once.
 *
 * @param[in] pipe_queue  Queue; ignored.
 * @param[in] pipe        Pipe.
 * @param[in] match       What it says where the pipe has all ones; NULL for
 *                        nothing.
 * @param[in] actions     Likewise; the actions, if the pipe has none; or NULL.
 * @param[in] monitor     NULL.
 * @param[in] fwd         Where its frames go; NULL for where the pipe says.
 * @param[in] flags       Ignored.
 * @param[in] usr_ctx     Ignored.
 * @param[out] entry      Entry; it goes with its pipe. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p pipe or @p entry is NULL, or nothing
 *                                    says where frames go.
 * @retval DOCA_ERROR_NOT_SUPPORTED   What is matched or done is not supported.
 * @retval DOCA_ERROR_ALREADY_EXIST   An entry of the port matches the same.
 * @retval DOCA_ERROR_NOT_PERMITTED   The process has not the capabilities that
 *                                    it takes.
 * @retval DOCA_ERROR_IN_USE          Another XDP program is on the interface.
 * @retval DOCA_ERROR_INITIALIZATION  The kernel refuses it for another reason,
 *                                    which is in the log.
 * @retval DOCA_ERROR_NO_MEMORY       No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_pipe_add_entry(uint16_t pipe_queue,
				      struct doca_flow_pipe *pipe,
				      const struct doca_flow_match *match,
				      const struct doca_flow_actions *actions,
				      const struct doca_flow_monitor *monitor,
				      const struct doca_flow_fwd *fwd,
				      uint32_t flags, void *usr_ctx,
				      struct doca_flow_pipe_entry **entry);

/**
 * @brief Like doca_flow_pipe_add_entry(), in later releases.
 *
 * @param[in] pipe_queue  Queue; ignored.
 * @param[in] pipe        Pipe.
 * @param[in] match       What it says where the pipe has all ones; NULL for
 *                        nothing.
 * @param[in] action_idx  Which actions of the pipe: 0.
 * @param[in] actions     Likewise; the actions, if the pipe has none; or NULL.
 * @param[in] monitor     NULL.
 * @param[in] fwd         Where its frames go; NULL for where the pipe says.
 * @param[in] flags       Ignored.
 * @param[in] usr_ctx     Ignored.
 * @param[out] entry      Entry; it goes with its pipe. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   @p pipe or @p entry is NULL, @p
 *                                    action_idx not 0, or nothing says where
 *                                    frames go.
 * @retval DOCA_ERROR_NOT_SUPPORTED   What is matched or done is not supported.
 * @retval DOCA_ERROR_ALREADY_EXIST   An entry of the port matches the same.
 * @retval DOCA_ERROR_NOT_PERMITTED   The process has not the capabilities that
 *                                    it takes.
 * @retval DOCA_ERROR_IN_USE          Another XDP program is on the interface.
 * @retval DOCA_ERROR_INITIALIZATION  The kernel refuses it for another reason,
 *                                    which is in the log.
 * @retval DOCA_ERROR_NO_MEMORY       No memory.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t doca_flow_pipe_basic_add_entry(
	uint16_t pipe_queue, struct doca_flow_pipe *pipe,
	const struct doca_flow_match *match, uint8_t action_idx,
	const struct doca_flow_actions *actions,
	const struct doca_flow_monitor *monitor,
	const struct doca_flow_fwd *fwd, uint32_t flags, void *usr_ctx,
	struct doca_flow_pipe_entry **entry);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_FLOW_H */
