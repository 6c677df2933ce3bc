/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_flow_net.h
 * @brief Headers of frames, as doca_flow.h matches them.
 *
 * These are the fields that can be matched; all are in the order of the network.
 */
#ifndef DOCA_FLOW_NET_H
#define DOCA_FLOW_NET_H

#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Protocols below the transport. @since DOCA 3.0 */
enum doca_flow_l3_type {
	DOCA_FLOW_L3_TYPE_NONE = 0, /**< not matched */
	DOCA_FLOW_L3_TYPE_IP4, /**< IPv4 */
	DOCA_FLOW_L3_TYPE_IP6, /**< IPv6; not supported */
};

/** @brief Transports. @since DOCA 3.0 */
enum doca_flow_l4_type_ext {
	DOCA_FLOW_L4_TYPE_EXT_NONE = 0, /**< not matched */
	DOCA_FLOW_L4_TYPE_EXT_TCP, /**< TCP; not supported */
	DOCA_FLOW_L4_TYPE_EXT_UDP, /**< UDP */
};

/** @brief Addresses of IPv4. @since DOCA 3.0 */
struct doca_flow_header_ip4 {
	doca_be32_t src_ip; /**< 0 */
	doca_be32_t dst_ip; /**< destination; 0: any */
};

/** @brief Ports. @since DOCA 3.0 */
struct doca_flow_header_l4_port {
	doca_be16_t src_port; /**< 0 */
	doca_be16_t dst_port; /**< destination */
};

/** @brief UDP. @since DOCA 3.0 */
struct doca_flow_header_udp {
	struct doca_flow_header_l4_port l4_port; /**< ports */
};

/** @brief The headers of a frame. @since DOCA 3.0 */
struct doca_flow_header_format {
	enum doca_flow_l3_type l3_type; /**< IPv4, or none */
	struct doca_flow_header_ip4 ip4; /**< its addresses */
	enum doca_flow_l4_type_ext l4_type_ext; /**< UDP, or none */
	struct doca_flow_header_udp udp; /**< its ports */
};

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_FLOW_NET_H */
