/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_dev.h
 * @brief Devices, at the levels 1.3 and 1.5: what there is, opening it.
 *
 * Devices are listed, chosen by their properties, and opened:
 *
 *     doca_devinfo_list_create(&list);
 *     for (i = 0; list[i]; i++)
 *             doca_devinfo_property_get(list[i], ...);
 *     doca_dev_open(list[i], &dev);
 *     doca_devinfo_list_destroy(list);
 *
 * An open device is the same object for all levels of a process. One that was
 * opened before fork() cannot be used in the child: open it there again.
 *
 * A remote device stands for a function of another machine, such as a DPU's
 * host. It is a representor of level 3.0: a machine whose memory may be
 * inspected, as a file in /etc/doca/targets.d describes it; see doca_target(5).
 *
 * Thread safety: all functions are thread safe; a list must not be destroyed
 * while another thread uses it.
 */
#ifndef DOCA_1_3_DEV_H
#define DOCA_1_3_DEV_H

#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dev_remote;
struct doca_devinfo;
struct doca_devinfo_remote;

/** @brief Bytes of a vendor's unique identifier with NUL. @since DOCA 1.3 */
#define DOCA_DEVINFO_VUID_SIZE 128
/** @brief Bytes of an IPv4 address. @since DOCA 1.3 */
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
/** @brief Bytes of an IPv6 address. @since DOCA 1.3 */
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
/** @brief Bytes of a network interface's name with NUL. @since DOCA 1.3 */
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
/** @brief Bytes of an RDMA device's name with NUL. @since DOCA 1.3 */
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
/** @brief Bytes of a remote device's identifier with NUL. @since DOCA 1.3 */
#define DOCA_DEVINFO_REMOTE_VUID_SIZE 128

/** @brief PCI address of a function, without its domain. @since DOCA 1.3 */
struct doca_pci_bdf {
	__extension__ union {
		uint16_t raw; /**< all of it, to be compared */
		__extension__ struct {
			uint16_t function : 3; /**< function */
			uint16_t device : 5; /**< device */
			uint16_t bus : 8; /**< bus */
		};
	};
};

/**
 * @brief Properties of devices, with the type of their values.
 * @since DOCA 1.3
 */
enum doca_devinfo_property {
	/** unique identifier: char[DOCA_DEVINFO_VUID_SIZE] */
	DOCA_DEVINFO_PROPERTY_VUID,
	/** PCI address: struct doca_pci_bdf */
	DOCA_DEVINFO_PROPERTY_PCI_ADDR,
	/** address of the network interface, in network order:
	 * uint8_t[DOCA_DEVINFO_IPV4_ADDR_SIZE]
	 */
	DOCA_DEVINFO_PROPERTY_IPV4_ADDR,
	/** IPv6 address: uint8_t[DOCA_DEVINFO_IPV6_ADDR_SIZE] */
	DOCA_DEVINFO_PROPERTY_IPV6_ADDR,
	/** network interface: char[DOCA_DEVINFO_IFACE_NAME_SIZE] */
	DOCA_DEVINFO_PROPERTY_IFACE_NAME,
	/** RDMA device: char[DOCA_DEVINFO_IBDEV_NAME_SIZE] */
	DOCA_DEVINFO_PROPERTY_IBDEV_NAME,
};

/** @brief Properties of remote devices. @since DOCA 1.3 */
enum doca_devinfo_remote_property {
	/** unique identifier: char[DOCA_DEVINFO_REMOTE_VUID_SIZE] */
	DOCA_DEVINFO_REMOTE_PROPERTY_VUID,
};

/** @brief Remote devices to list; bits. @since DOCA 1.3 */
enum doca_dev_remote_filter {
	DOCA_DEV_REMOTE_FILTER_ALL = 0, /**< all */
	DOCA_DEV_REMOTE_FILTER_NET = 1 << 1, /**< network functions */
	DOCA_DEV_REMOTE_FILTER_EMULATED = 1 << 2, /**< emulated functions */
};

/**
 * @brief List the devices.
 *
 * The most capable devices come first. Where the driver is not there or cannot
 * be used, the list is empty and the log says why. The call has a second form,
 * with a count; see doca_devinfo_list_create_count().
 *
 * @param[out] devinfo_list  The list: (*devinfo_list)[0] and so on, up to a
 *                           NULL. Its elements are valid until it is destroyed
 *                           with doca_devinfo_list_destroy(). Set on success
 *                           only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo_list is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_FOUND      The driver is there, but could not be
 *         asked.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_list_create(struct doca_devinfo ***devinfo_list)
	DOCA_1_3(devinfo_list_create);

/**
 * @brief List the devices, and count them.
 *
 * Programs write doca_devinfo_list_create(), with two arguments.
 *
 * @param[out] devinfo_list  As of doca_devinfo_list_create().
 * @param[out] nb_devs       Devices in it; may be 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_FOUND      The driver is there, but could not be
 *         asked.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_list_create_count(struct doca_devinfo ***devinfo_list,
					    uint32_t *nb_devs)
	DOCA_1_3(devinfo_list_create_count);

/**
 * @brief Destroy a list of devices. Devices that were opened stay open.
 *
 * @param[in] devinfo_list  List.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo_list is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list)
	DOCA_1_3(devinfo_list_destroy);

#if DOCA_LEVEL < 105
/**
 * @brief Get a property of a device.
 *
 * The identifier is made of the name of the RDMA device and its PCI address, if
 * it has one.
 *
 * @param[in] devinfo   Device.
 * @param[in] property  Which one; the enumerators say of what type it is.
 * @param[out] value    The value. Set on success only.
 * @param[in] size      Bytes of that type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     A pointer is NULL, there is no such
 *         property, or @p size is not that of its type.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The device does not have it, as the
 *         software device has no PCI address and no network interface; or it
 *         was removed, or could not be asked.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
				       enum doca_devinfo_property property,
				       void *value, uint32_t size)
	DOCA_1_3(devinfo_property_get);
#else
/**
 * @brief PCI address of a device.
 *
 * @param[in] devinfo    Device.
 * @param[out] pci_addr  The address. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The device has none, as the software
 *         device, or was removed.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
				       struct doca_pci_bdf *pci_addr)
	DOCA_1_5(devinfo_get_pci_addr);
#endif

/**
 * @brief Open a device.
 *
 * A device that is open already is the same object: it must be closed as often
 * as it was opened.
 *
 * @param[in] devinfo  Device, from a list or from doca_dev_as_devinfo().
 * @param[out] dev     The open device. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_CONNECTED  The device was removed, or the driver
 *         cannot be used; the log says why.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
	DOCA_1_3(dev_open);

/**
 * @brief Close a device.
 *
 * Memory maps and contexts to which it was added keep it open for themselves.
 *
 * @param[in] dev  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev is NULL.
 * @retval DOCA_ERROR_IN_USE         It was closed as often as it was opened,
 *         but objects use it; or something is left in its protection domain, and
 *         it was not closed.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dev_close(struct doca_dev *dev) DOCA_1_3(dev_close);

/**
 * @brief The properties of an open device.
 *
 * @param[in] dev       Device.
 * @param[out] devinfo  What the getters take; valid while the device is open.
 *                      Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dev_as_devinfo(struct doca_dev *dev,
				 struct doca_devinfo **devinfo)
	DOCA_1_3(dev_as_devinfo);

/**
 * @brief List the remote devices of a device.
 *
 * Its representors, as level 3.0 lists them; the files are read anew.
 *
 * The call has a second form, with a filter and a count; see
 * doca_devinfo_remote_list_create_filtered().
 *
 * @param[in] dev                   Device; may be closed afterwards.
 * @param[out] devinfo_remote_list  The list, up to a NULL, to be destroyed with
 *                                  doca_devinfo_remote_list_destroy(). Set on
 *                                  success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  No file descriptor is left.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_remote_list_create(
	struct doca_dev *dev, struct doca_devinfo_remote ***devinfo_remote_list)
	DOCA_1_3(devinfo_remote_list_create);

/**
 * @brief List some remote devices of a device, and count them.
 *
 * Programs write doca_devinfo_remote_list_create(), with four arguments.
 *
 * @param[in] dev                   Device.
 * @param[in] filter                Bits of enum doca_dev_remote_filter.
 * @param[out] devinfo_remote_list  As of doca_devinfo_remote_list_create().
 * @param[out] nb_devs              Devices in it; may be 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p filter has unknown
 *         bits.
 * @retval DOCA_ERROR_NOT_SUPPORTED  @p filter asks for emulated functions, which
 *         no device has.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  No file descriptor is left.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_remote_list_create_filtered(
	struct doca_dev *dev, enum doca_dev_remote_filter filter,
	struct doca_devinfo_remote ***devinfo_remote_list, uint32_t *nb_devs)
	DOCA_1_3(devinfo_remote_list_create_filtered);

/**
 * @brief Destroy a list of remote devices. Those that were opened stay open.
 *
 * @param[in] devinfo_remote_list  List.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo_remote_list is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_remote_list_destroy(
	struct doca_devinfo_remote **devinfo_remote_list)
	DOCA_1_3(devinfo_remote_list_destroy);

/**
 * @brief Get a property of a remote device.
 *
 * @param[in] devinfo_remote  Remote device.
 * @param[in] property        Which one.
 * @param[out] value          The value. Set on success only.
 * @param[in] size            Bytes of its type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, or @p size is not that of its type.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_devinfo_remote_property_get(
	const struct doca_devinfo_remote *devinfo_remote,
	enum doca_devinfo_remote_property property, void *value, uint32_t size)
	DOCA_1_3(devinfo_remote_property_get);

/**
 * @brief Open a remote device.
 *
 * @param[in] devinfo_remote  Remote device, from a list.
 * @param[out] dev_remote     The open device. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dev_remote_open(struct doca_devinfo_remote *devinfo_remote,
				  struct doca_dev_remote **dev_remote)
	DOCA_1_3(dev_remote_open);

/**
 * @brief Close a remote device.
 *
 * @param[in] dev_remote  Remote device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev_remote is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_dev_remote_close(struct doca_dev_remote *dev_remote)
	DOCA_1_3(dev_remote_close);

/**
 * @brief The properties of an open remote device.
 *
 * @param[in] dev_remote       Remote device.
 * @param[out] devinfo_remote  What the getters take; valid while the device is
 *                             open. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t
doca_dev_remote_as_devinfo(struct doca_dev_remote *dev_remote,
			   struct doca_devinfo_remote **devinfo_remote)
	DOCA_1_3(dev_remote_as_devinfo);

/* Both forms of a call, by the number of arguments. */
#define DOCA_1_3_FIFTH_(a, b, c, d, e, ...) e
#define doca_devinfo_list_create(...)                                    \
	DOCA_1_3_FIFTH_(__VA_ARGS__, , , doca_devinfo_list_create_count, \
			doca_devinfo_list_create, )                      \
	(__VA_ARGS__)
#define doca_devinfo_remote_list_create(...)                                   \
	DOCA_1_3_FIFTH_(__VA_ARGS__, doca_devinfo_remote_list_create_filtered, \
			, doca_devinfo_remote_list_create, , )                 \
	(__VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_DEV_H */
