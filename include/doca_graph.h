/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_graph.h
 * @brief Graphs: tasks and functions that depend on each other.
 *
 * A graph has nodes, and dependencies that say which of them is done before
 * which begins. A node stands for a task of a context, for a function of the
 * program's, or for an instance of another graph. What a node really runs is
 * set in an instance of the graph, of which any number can be in flight, beside
 * tasks that are submitted on their own.
 *
 *     doca_graph_create(pe, &graph);
 *     doca_graph_node_create_from_ctx(graph, ctx, &copy);
 *     doca_graph_node_create_from_user(graph, compare, &user);
 *     doca_graph_add_dependency(graph, copy, user);
 *     doca_graph_set_conf(graph, done, failed, 1);
 *     doca_graph_start(graph);
 *
 *     doca_graph_instance_create(graph, &instance);
 *     doca_graph_instance_set_ctx_node_data(instance, copy, task);
 *     doca_graph_instance_set_user_node_data(instance, user, cookie);
 *     doca_graph_instance_submit(instance);
 *     ...
 *     while (doca_pe_progress(pe))
 *             ;
 *
 * Running. A node begins when all nodes that it depends on are done. Nodes that
 * depend on none begin when the instance is submitted. When all nodes are done,
 * the callback of the graph runs, once for the instance. Tasks and instances of
 * graphs that run as nodes do not run their own callbacks. All functions of the
 * program's are called by doca_pe_progress(), one a call.
 *
 * Failure. When the task of a node fails, a function returns anything but
 * DOCA_SUCCESS or an instance within fails, no further node begins. When those
 * that have begun are back, the error callback of the graph runs in place of
 * the other. doca_task_get_status() says how the tasks went; one that did not
 * begin still has the status of the last time that it did. As always, the
 * context of a task that failed stops.
 *
 * While an instance is in flight, its tasks and the instances within it are its
 * own: to submit these fails with DOCA_ERROR_BAD_STATE, and a task that is freed
 * is given back to its context when the instance ends. A function of the
 * program's may set what a task, which has not begun, will work on.
 *
 * Nothing is allocated from the submission of an instance to its callback; what
 * instances need is allocated by doca_graph_start().
 *
 * Thread safety: a graph belongs, with its nodes and instances, to the thread
 * that its progress engine belongs to.
 */
#ifndef DOCA_GRAPH_H
#define DOCA_GRAPH_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;
struct doca_pe;
struct doca_task;

/**
 * @brief Called when an instance is done, or has failed.
 *
 * @param[in] instance            Instance; the program's own again, so it may be
 *                                submitted or destroyed here.
 * @param[in] instance_user_data  Value of the instance.
 * @param[in] graph_user_data     Value of its graph.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *instance,
					   union doca_data instance_user_data,
					   union doca_data graph_user_data);

/**
 * @brief The function of a user node.
 *
 * It may do what callbacks of tasks may, see doca_pe.h.
 *
 * @param[in] cookie  As set with doca_graph_instance_set_user_node_data().
 *
 * @return DOCA_SUCCESS, or anything else for the instance to fail.
 *
 * @since DOCA 3.0
 */
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *cookie);

/**
 * @brief Create a graph.
 *
 * @param[in] pe      Progress engine that will run it. It cannot be destroyed
 *                    before the graph.
 * @param[out] graph  The graph, without nodes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);

/**
 * @brief Destroy a graph, and its nodes.
 *
 * @param[in] graph  Graph that is stopped.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph is NULL.
 * @retval DOCA_ERROR_IN_USE         It is started, there are instances of it, or
 *         a node of another graph stands for it.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_destroy(struct doca_graph *graph);

/**
 * @brief Configure a graph; needed before it is started.
 *
 * @param[in] graph                Graph that is not started.
 * @param[in] graph_completion_cb  Called for an instance that is done.
 * @param[in] graph_error_cb       Called for an instance that has failed; may be
 *                                 the same function.
 * @param[in] num_instances        Instances that may exist at a time; 1 and up.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_IN_USE         There are instances of it.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_conf(struct doca_graph *graph,
				 doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb,
				 uint32_t num_instances);

/**
 * @brief Set a graph's value of the program's own, which its callbacks get.
 *
 * @param[in] graph      Graph, in any state.
 * @param[in] user_data  The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_user_data(struct doca_graph *graph,
				      union doca_data user_data);

/**
 * @brief A graph's value of the program's own.
 *
 * @param[in] graph       Graph.
 * @param[out] user_data  The value; 0 if it was never set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_get_user_data(const struct doca_graph *graph,
				      union doca_data *user_data);

/**
 * @brief Add a node that runs a task of a context.
 *
 * @param[in] graph  Graph that is not started.
 * @param[in] ctx    Context, in any state, of any library. Whether the graph's
 *                   engine has it is looked at by doca_graph_start().
 * @param[out] node  The node, which belongs to the graph. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_IN_USE         There are instances of it.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph,
					     const struct doca_ctx *ctx,
					     struct doca_graph_node **node);

/**
 * @brief Add a node that calls a function of the program's.
 *
 * @param[in] graph  Graph that is not started.
 * @param[in] cb     The function.
 * @param[out] node  The node, which belongs to the graph. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_IN_USE         There are instances of it.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
					      doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node);

/**
 * @brief Add a node that runs an instance of another graph.
 *
 * @param[in] graph      Graph that is not started.
 * @param[in] sub_graph  Another graph of the same engine. It must be started
 *                       before @p graph, and destroyed after it.
 * @param[out] node      The node, which belongs to @p graph. Set on success
 *                       only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the graphs are the
 *         same, or they have different engines.
 * @retval DOCA_ERROR_BAD_STATE      @p graph is started.
 * @retval DOCA_ERROR_IN_USE         There are instances of @p graph.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
					       struct doca_graph *sub_graph,
					       struct doca_graph_node **node);

/**
 * @brief Have a node begin only when another is done.
 *
 * @param[in] graph  Graph that is not started.
 * @param[in] from   Node that is done first.
 * @param[in] to     Node that waits for it, and for all others from which it
 *                   has a dependency.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or a node is not of
 *         @p graph.
 * @retval DOCA_ERROR_ALREADY_EXIST  @p to waits for @p from already.
 * @retval DOCA_ERROR_BAD_STATE      The graph is started.
 * @retval DOCA_ERROR_IN_USE         There are instances of it.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_add_dependency(struct doca_graph *graph,
				       struct doca_graph_node *from,
				       struct doca_graph_node *to);

/**
 * @brief Start a graph, so that there can be instances of it.
 *
 * The contexts of its nodes need not be started yet.
 *
 * @param[in] graph  Graph that is configured and not started.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph is NULL or not configured; its
 *         dependencies have a cycle; or it has neither a node of a context nor
 *         one of another graph.
 * @retval DOCA_ERROR_BAD_STATE      It is started, or another graph that is a
 *         node of it is not.
 * @retval DOCA_ERROR_NOT_CONNECTED  The context of a node is not connected to
 *         the graph's engine.
 * @retval DOCA_ERROR_NO_MEMORY      No memory for its instances.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_start(struct doca_graph *graph);

/**
 * @brief Stop a graph.
 *
 * Its instances stay, and can be submitted when it is started again. To change
 * it they must be destroyed.
 *
 * @param[in] graph  Graph, in any state.
 *
 * @retval DOCA_SUCCESS              It is not started.
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph is NULL.
 * @retval DOCA_ERROR_IN_USE         Instances of it are in flight, or a graph is
 *         started that has it as a node. It is still started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_stop(struct doca_graph *graph);

/**
 * @brief Create an instance of a graph.
 *
 * @param[in] graph            Graph that is started.
 * @param[out] graph_instance  The instance, whose nodes have no data. Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The graph is not started.
 * @retval DOCA_ERROR_NO_MEMORY      As many exist as it is configured for.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_graph_instance_create(const struct doca_graph *graph,
			   struct doca_graph_instance **graph_instance);

/**
 * @brief Destroy an instance. What its nodes ran stays.
 *
 * @param[in] graph_instance  Instance that is not in flight.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph_instance is NULL, or was destroyed.
 * @retval DOCA_ERROR_IN_USE         It is in flight, or it is the data of a node
 *         of another instance.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);

/**
 * @brief Set the task that a node runs in an instance.
 *
 * It stays set until another one is.
 *
 * @param[in] graph_instance  Instance that is not in flight.
 * @param[in] node            Node of a context, of the instance's graph.
 * @param[in] task            Task of the program's own and of that context. It
 *                            can be the task of one node at a time that is in
 *                            flight.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL; the node is of another
 *         graph or not of a context; or the task is of another context.
 * @retval DOCA_ERROR_BAD_STATE      The instance is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_ctx_node_data(
	struct doca_graph_instance *graph_instance,
	struct doca_graph_node *node, struct doca_task *task);

/**
 * @brief Set the argument of a node's function in an instance.
 *
 * @param[in] graph_instance  Instance that is not in flight.
 * @param[in] node            User node of the instance's graph.
 * @param[in] cookie          A value of the program's own; NULL if this is never
 *                            called.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph_instance or @p node is NULL, or the
 *         node is of another graph or not a user node.
 * @retval DOCA_ERROR_BAD_STATE      The instance is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_node_data(
	struct doca_graph_instance *graph_instance,
	struct doca_graph_node *node, void *cookie);

/**
 * @brief Set the instance of another graph that a node runs in an instance.
 *
 * It stays set until another one is, and cannot be destroyed as long.
 *
 * @param[in] graph_instance      Instance that is not in flight.
 * @param[in] node                Node that stands for a graph, of the instance's
 *                                graph.
 * @param[in] sub_graph_instance  Instance of the graph that it stands for. It
 *                                can be that of one node at a time that is in
 *                                flight.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL; the node is of another
 *         graph or does not stand for one; or the instance for it is of another
 *         graph, or was destroyed.
 * @retval DOCA_ERROR_BAD_STATE      @p graph_instance is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_sub_graph_node_data(
	struct doca_graph_instance *graph_instance,
	struct doca_graph_node *node,
	struct doca_graph_instance *sub_graph_instance);

/**
 * @brief Set an instance's value of the program's own, which its callback gets.
 *
 * @param[in] graph_instance  Instance, in any state.
 * @param[in] user_data       The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph_instance is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance,
				  union doca_data user_data);

/**
 * @brief An instance's value of the program's own.
 *
 * @param[in] graph_instance  Instance.
 * @param[out] user_data      The value; 0 if it was never set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_get_user_data(
	const struct doca_graph_instance *graph_instance,
	union doca_data *user_data);

/**
 * @brief Run an instance.
 *
 * Arguments of its tasks are not checked here, as with doca_task_submit().
 *
 * @param[in] graph_instance  Instance of the program's own, with data for all
 *                            nodes but user nodes.
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  @p graph_instance is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is in flight, or was destroyed; its graph
 *         is not started; a node has no data; or a task or an instance for a
 *         node cannot be submitted: it is in flight or was freed, the context
 *         is not running, or was started before a fork(). Nothing was begun.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_graph_instance_submit(struct doca_graph_instance *graph_instance);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_GRAPH_H */
