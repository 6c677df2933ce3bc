/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_dev.h
 * @brief Devices: list them, ask their properties, open them.
 *
 * Every RDMA device of the machine that is visible in the network namespace of
 * the process is a device; the software device, which every machine has, comes
 * last. Devices are listed, chosen by their properties, and opened. A device
 * that was removed stays in lists and stays open, but cannot be used: contexts
 * on it stop, and opening it fails.
 *
 * A representor stands for a function of another machine. Here it stands for the
 * host's device of a pair, of which the DPU's is the device that lists it, or for a
 * machine whose memory may be inspected, a target; see
 * doca_devinfo_rep_create_list().
 *
 * A device that was opened before fork() cannot be used in the child: open it
 * there again.
 *
 * Thread safety: all functions are thread safe; a list must not be destroyed
 * while another thread uses it.
 */
#ifndef DOCA_DEV_H
#define DOCA_DEV_H

#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;

/** @brief Bytes of "DDDD:BB:DD.F" with NUL. @since DOCA 2.5 */
#define DOCA_DEVINFO_PCI_ADDR_SIZE 13
/** @brief Bytes of "BB:DD.F" with NUL. @since DOCA 2.5 */
#define DOCA_DEVINFO_PCI_BDF_SIZE 8
/**
 * @brief Bytes of "DDDD:BB:DD.F" with NUL, of a representor.
 * @since DOCA 2.5
 */
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
/** @brief Bytes of "BB:DD.F" with NUL, of a representor. @since DOCA 2.5 */
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8
/** @brief Bytes of an RDMA device's name with NUL. @since DOCA 2.5 */
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
/** @brief Bytes of a network interface's name with NUL. @since DOCA 2.5 */
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
/** @brief Bytes of a MAC address. @since DOCA 2.5 */
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6
/** @brief Bytes of an IPv4 address. @since DOCA 2.5 */
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
/** @brief Bytes of an IPv6 address. @since DOCA 2.5 */
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
/** @brief Bytes of a vendor's unique identifier with NUL. @since DOCA 2.5 */
#define DOCA_DEVINFO_VUID_SIZE 128
/** @brief Bytes of a representor's identifier with NUL. @since DOCA 2.5 */
#define DOCA_DEVINFO_REP_VUID_SIZE 128

/** @brief Representors to list; bits. @since DOCA 2.5 */
enum doca_devinfo_rep_filter {
	DOCA_DEVINFO_REP_FILTER_ALL = 0, /**< all */
	DOCA_DEVINFO_REP_FILTER_NET = 1 << 1, /**< network functions */
	DOCA_DEVINFO_REP_FILTER_EMULATED = 1 << 2, /**< emulated functions */
};

/**
 * @brief List the devices.
 *
 * The most capable devices come first. Where the module is not loaded, they are those of
 * the driver within the process, devices of software, and the log says so; DOCA_DRIVER in
 * the environment may ask for one or the other: see doca(7). Where the driver may not be
 * used, or is asked for and not there, the list is empty and the log says why.
 *
 * @param[out] dev_list  The list: (*dev_list)[0] and so on. Its elements are
 *                       valid until it is destroyed with
 *                       doca_devinfo_destroy_list(). Set on success only.
 * @param[out] nb_devs   Devices in it; may be 0. A name that a target file
 *                       (doca_target(5)) has, and no device, is one more of
 *                       the software device. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_FOUND      The driver is there, but could not be
 *         asked: for one, the process has no file descriptor left. Or a profile or
 *         files of targets cannot be read; the log says why.
 * @retval DOCA_ERROR_NOT_CONNECTED  DOCA_DRIVER in the environment is none of
 *         auto, kernel and process.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
				      uint32_t *nb_devs);

/**
 * @brief Destroy a list of devices. Devices that were opened stay open.
 *
 * @param[in] dev_list  List.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev_list is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);

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
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);

/**
 * @brief Close a device.
 *
 * Objects that use it, such as contexts and mmaps, keep it for themselves, but
 * it must not be passed to a function any more.
 *
 * @param[in] dev  Device; NULL is legal.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_IN_USE  It was closed as often as it was opened, but
 *         objects use it; or something is left in its protection domain (see
 *         doca_rdma_bridge_get_dev_pd()), and it was not closed.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dev_close(struct doca_dev *dev);

/**
 * @brief The properties of an open device.
 *
 * @param[in] dev  Device.
 *
 * @return What the getters take; valid while the device is open, also when the
 * list that it was opened from is destroyed. NULL if @p dev is NULL, or made
 * with doca_rdma_bridge_open_dev_from_pd().
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);

/**
 * @brief PCI address of a device, as "0000:03:00.0".
 *
 * A soft-RoCE device has that of its network interface.
 *
 * @param[in] devinfo        Device.
 * @param[out] pci_addr_str  The address; room for DOCA_DEVINFO_PCI_ADDR_SIZE
 *                           bytes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The device has none, as the software
 *         device, or was removed.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
					   char *pci_addr_str);

/**
 * @brief Check whether a device has this PCI address.
 *
 * @param[in] devinfo       Device.
 * @param[in] pci_addr_str  "0000:03:00.0" or, whatever the domain, "03:00.0";
 *                          capital letters or small ones.
 * @param[out] is_equal     1 if it has, 0 if it has another one or none. Set on
 *                           success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL, or the address has
 *         another form.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The network interface could not be asked
 *         for its address.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr_str,
					    uint8_t *is_equal);

/**
 * @brief Name of the RDMA device; the software device has a name as well.
 *
 * @param[in] devinfo      Device.
 * @param[out] ibdev_name  The name. Set on success only.
 * @param[in] size         Bytes of room, at least DOCA_DEVINFO_IBDEV_NAME_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p size too small.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
					 char *ibdev_name, uint32_t size);

/**
 * @brief Name of the network interface of a device.
 *
 * A device in software has the interface that a profile names (doca(7)). Where
 * there is none of that name here, or it was made up by the driver, the name is
 * told all the same, for programs that look for a device by it; then the device
 * has no interface, no MAC and no IP address. A name that was made up is not told
 * while an interface has it.
 *
 * @param[in] devinfo      Device.
 * @param[out] iface_name  The name. Set on success only.
 * @param[in] size         Bytes of room, at least DOCA_DEVINFO_IFACE_NAME_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     A pointer is NULL, or @p size too small.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The device has no network interface, or
 *         it could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
					 char *iface_name, uint32_t size);

/**
 * @brief MAC address of the network interface of a device.
 *
 * @param[in] devinfo    Device.
 * @param[out] mac_addr  The address. Set on success only.
 * @param[in] size       Bytes of room, at least DOCA_DEVINFO_MAC_ADDR_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p size too small.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface, or
 *         that no MAC address.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
				       uint8_t *mac_addr, uint32_t size);

/**
 * @brief IPv4 address of the network interface of a device, in network order.
 *
 * @param[in] devinfo     Device.
 * @param[out] ipv4_addr  The address. Set on success only.
 * @param[in] size        Bytes of room, at least DOCA_DEVINFO_IPV4_ADDR_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     A pointer is NULL, or @p size too small.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The device has no network interface, or
 *         that no IPv4 address, or it could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
					uint8_t *ipv4_addr, uint32_t size);

/**
 * @brief IPv6 address of the network interface of a device, in network order.
 *
 * @param[in] devinfo     Device.
 * @param[out] ipv6_addr  The address. Set on success only.
 * @param[in] size        Bytes of room, at least DOCA_DEVINFO_IPV6_ADDR_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     A pointer is NULL, or @p size too small.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The device has no network interface, or
 *         that no IPv6 address, or it could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
					uint8_t *ipv6_addr, uint32_t size);

/**
 * @brief Local identifier (LID) of the port of an InfiniBand device.
 *
 * @param[in] devinfo  Device.
 * @param[out] lid     The LID. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no InfiniBand device.
 * @retval DOCA_ERROR_DRIVER         The RDMA device could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo,
				  uint16_t *lid);

/**
 * @brief Rate of the port of an RDMA device.
 *
 * @param[in] devinfo       Device.
 * @param[out] active_rate  Bits a second. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device.
 * @retval DOCA_ERROR_DRIVER         The RDMA device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
					  uint64_t *active_rate);

/**
 * @brief Get the kind of PCI function that a device is on.
 *
 * An RDMA device without one of its own has that of its network interface,
 * as for doca_devinfo_get_pci_addr_str().
 *
 * @param[in] devinfo         Device.
 * @param[out] pci_func_type  A physical or virtual function, or a subfunction. Set
 *                            on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is on none, as the software device.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
			       enum doca_pci_func_type *pci_func_type);

/**
 * @brief The number of the subfunction that a device is on.
 *
 * It is the number that was given when the subfunction was made, by which DPDK and
 * devlink name it as well.
 *
 * @param[in] devinfo    Device.
 * @param[out] sf_index  The number. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED     The device is on no subfunction.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The number could not be read.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo,
				       uint32_t *sf_index);

/**
 * @brief Number of a function of NVIDIA hardware (VHCA).
 *
 * @param[in] devinfo   Device.
 * @param[out] vhca_id  The number; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise: it is not known here.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
				      uint16_t *vhca_id);

/**
 * @brief Check whether a device can plug emulated functions into its host.
 *
 * @param[in] devinfo              Device.
 * @param[out] is_hotplug_manager  1 if it can, else 0; no device can.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
	const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);

/**
 * @brief Check whether a device can moderate its notifications.
 *
 * @param[in] devinfo                                Device.
 * @param[out] is_notification_moderation_supported  1 if it can, else 0; no
 *         device can.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
	const struct doca_devinfo *devinfo,
	uint8_t *is_notification_moderation_supported);

/**
 * @brief Check whether a device can reclaim resources faster.
 *
 * @param[in] devinfo                          Device.
 * @param[out] is_accelerate_resource_reclaim  1 if it can, else 0; no device
 *         can.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
	const struct doca_devinfo *devinfo,
	uint8_t *is_accelerate_resource_reclaim);

/**
 * @brief Let a device reclaim resources faster, at the cost of others.
 *
 * doca_devinfo_cap_is_accelerate_resource_reclaim_supported() says whether it
 * can.
 *
 * @param[in] dev  Device.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise: no device can.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);

/**
 * @brief Check whether a device can list all representors.
 *
 * @param[in] devinfo                Device.
 * @param[out] filter_all_supported  1: any device can.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_all_supported);

/**
 * @brief Check whether a device can list the representors of network functions.
 *
 * @param[in] devinfo                Device.
 * @param[out] filter_net_supported  1: any device can. Pairs and targets may be
 *                                   added at any time.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
					     uint8_t *filter_net_supported);

/**
 * @brief Check whether a device can list the representors of emulated functions.
 *
 * @param[in] devinfo                     Device.
 * @param[out] filter_emulated_supported  0: no device has any.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
	const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported);

/**
 * @brief List the representors of a device.
 *
 * They stand for functions, and for targets. A function is the host's device of a
 * pair of which the device is the DPU's: an administrator makes pairs with
 * docactl(8), and without the module the first two devices are one, see doca(7).
 * Functions come first, in the order in which they were made. Targets are machines
 * that files in /etc/doca/targets.d describe, see doca_target(5). The list has
 * those whose file names the device, or any device, in the order of their files'
 * names. A file that is invalid, or that users other than root and the caller may
 * write, is left out, and a warning in the log says why. Of two with the same VUID
 * the first is listed. Each call asks, and reads the files, anew.
 *
 * Thread safe.
 *
 * @param[in] dev            Device.
 * @param[in] filter         Bits of enum doca_devinfo_rep_filter. Functions
 *                           and targets are network functions.
 * @param[out] dev_list_rep  The list: (*dev_list_rep)[0] and so on. Its elements
 *                           are valid until it is destroyed with
 *                           doca_devinfo_rep_destroy_list(), also if the device
 *                           is closed before. Set on success only.
 * @param[out] nb_devs_rep   Representors in it; may be 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p filter has unknown
 *         bits.
 * @retval DOCA_ERROR_NOT_SUPPORTED  @p filter asks for emulated functions, which
 *         no device has; or @p dev was made with
 *         doca_rdma_bridge_open_dev_from_pd().
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The process, or the machine, has no file
 *         descriptor left, or the driver cannot be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
			     struct doca_devinfo_rep ***dev_list_rep,
			     uint32_t *nb_devs_rep);

/**
 * @brief Destroy a list of representors. Those that were opened stay open.
 *
 * @param[in] dev_list_rep  List.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev_list_rep is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);

/**
 * @brief Open a representor.
 *
 * The target itself is not accessed yet. Each call makes its own object, which
 * outlives the list and the device. Thread safe.
 *
 * @param[in] devinfo   Representor, from a list.
 * @param[out] dev_rep  The open representor, which doca_dev_rep_close() closes.
 *                      Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
			       struct doca_dev_rep **dev_rep);

/**
 * @brief Close a representor. What uses it must be gone before.
 *
 * @param[in] dev  Representor.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dev is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);

/**
 * @brief The properties of an open representor.
 *
 * @param[in] dev_rep  Representor.
 *
 * @return Its properties, valid until it is closed; NULL if @p dev_rep is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);

/**
 * @brief Vendor's unique identifier of what a representor stands for: that of
 * the target file; for a function, one that is the same whenever a pair of its
 * name is made.
 *
 * @param[in] devinfo_rep  Representor.
 * @param[out] rep_vuid    The identifier, a string. Set on success only.
 * @param[in] size         Bytes of room, at least DOCA_DEVINFO_REP_VUID_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p size too small.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
			  char *rep_vuid, uint32_t size);

/**
 * @brief PCI address of the function that a representor stands for.
 *
 * @param[in] devinfo_rep    Representor.
 * @param[out] pci_addr_str  The address, at most DOCA_DEVINFO_REP_PCI_ADDR_SIZE
 *                           bytes; "" for a target, which has none, and for a
 *                           device that has none. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
				  char *pci_addr_str);

/**
 * @brief Check whether the function of a representor has this PCI address.
 *
 * @param[in] devinfo_rep   Representor.
 * @param[in] pci_addr_str  As for doca_devinfo_is_equal_pci_addr().
 * @param[out] is_equal     1 if it has, else 0: a target has none. Set on success
 *                          only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or @p pci_addr_str no PCI
 *         address.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  The operating system cannot be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
				   const char *pci_addr_str, uint8_t *is_equal);

/**
 * @brief Kind of the function that a representor stands for.
 *
 * @param[in] devinfo_rep     Representor.
 * @param[out] pci_func_type  The kind: DOCA_PCI_FUNC_TYPE_PF. Set on success
 *                            only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
				   enum doca_pci_func_type *pci_func_type);

/**
 * @brief Check whether the function of a representor was plugged in at run time.
 *
 * @param[in] devinfo_rep  Representor.
 * @param[out] is_hotplug  1 if it was, else 0: none was. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
				uint8_t *is_hotplug);

/**
 * @brief Name of the network interface of a representor: that of the host's device.
 *
 * @param[in] devinfo_rep  Representor.
 * @param[out] iface_name  The name. Set on success only.
 * @param[in] size         Bytes of room, at least DOCA_DEVINFO_IFACE_NAME_SIZE.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p size too small.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has none: a target, or such a device.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
				char *iface_name, uint32_t size);

/**
 * @brief Number (VHCA) of the function that a representor stands for.
 *
 * @param[in] devinfo_rep  Representor.
 * @param[out] vhca_id     The number; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise: none has such a number.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
			     uint16_t *vhca_id);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DEV_H */
