/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file onload/extensions_timestamping.h
 * @brief Timestamps of network cards, in Onload's form.
 *
 * Open DOCA has none; SO_TIMESTAMPING
 * gives the kernel's own, as on any socket.
 */
#ifndef ONLOAD_EXTENSIONS_TIMESTAMPING_H
#define ONLOAD_EXTENSIONS_TIMESTAMPING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief A time with fractions of a nanosecond.
 */
struct onload_timestamp {
	uint64_t sec; /**< seconds since 1970 */
	uint32_t nsec; /**< nanoseconds, 0 to 999999999 */
	unsigned int nsec_frac : 24; /**< 2^-24 of a nanosecond */
	unsigned int reserved : 8; /**< 0 */
};

/**
 * @brief Timestamps that a program wants.
 */
enum onload_timestamping_flags {
	/** the card's, of what is sent */
	ONLOAD_TIMESTAMPING_FLAG_TX_NIC = 1,
	/** the card's, of what is received */
	ONLOAD_TIMESTAMPING_FLAG_RX_NIC = 2,
	/** those that a switch has put behind a frame */
	ONLOAD_TIMESTAMPING_FLAG_RX_CPACKET = 4,
};

/**
 * @brief Ask for timestamps of a network card.
 *
 * @param [in] fd
 * A socket.
 * @param [in] flags
 * Of enum onload_timestamping_flags.
 *
 * @return A negative errno:
 * - -EINVAL: another flag is set.
 * - -EOPNOTSUPP: there are none here. The log says so once.
 * - -ENOSYS: the program does not run under onload(1).
 *
 * @note Thread safe.
 */
int onload_timestamping_request(int fd, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif /* ONLOAD_EXTENSIONS_TIMESTAMPING_H */
