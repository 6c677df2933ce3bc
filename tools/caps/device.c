// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Properties of devices and of their representors. */
#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include <open_doca.h>

#include "common/device_name.h"
#include "device.h"
#include "report.h"

static const char *func_type(enum doca_pci_func_type type)
{
	static const char *const types[] = { "PF", "VF", "SF" };

	return type < sizeof(types) / sizeof(types[0]) ? types[type] : "";
}

/* An empty text is a property that the device lacks. */
static void add_text(struct json_object *to, const char *name,
		     doca_error_t result, const char *text)
{
	if (result == DOCA_SUCCESS && *text)
		report_add_text(to, name, text);
	else
		report_add(to, name, NULL);
}

static void add_number(struct json_object *to, const char *name,
		       doca_error_t result, uint64_t number)
{
	if (result == DOCA_SUCCESS)
		report_add_number(to, name, number);
	else
		report_add(to, name, NULL);
}

void device_report_address(struct json_object *to,
			   const struct doca_devinfo *info)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE] = "";

	add_text(to, "pci_addr", doca_devinfo_get_pci_addr_str(info, pci), pci);
}

static void report_mac(struct json_object *to, const struct doca_devinfo *info)
{
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE] = {};
	char text[3 * sizeof(mac)];
	doca_error_t result;

	result = doca_devinfo_get_mac_addr(info, mac, sizeof(mac));
	snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0],
		 mac[1], mac[2], mac[3], mac[4], mac[5]);
	add_text(to, "mac_addr", result, text);
}

static void report_ip(struct json_object *to, const struct doca_devinfo *info)
{
	uint8_t v4[DOCA_DEVINFO_IPV4_ADDR_SIZE] = {};
	uint8_t v6[DOCA_DEVINFO_IPV6_ADDR_SIZE] = {};
	char text[INET6_ADDRSTRLEN];
	doca_error_t result;

	result = doca_devinfo_get_ipv4_addr(info, v4, sizeof(v4));
	inet_ntop(AF_INET, v4, text, sizeof(text));
	add_text(to, "ipv4_addr", result, text);
	result = doca_devinfo_get_ipv6_addr(info, v6, sizeof(v6));
	inet_ntop(AF_INET6, v6, text, sizeof(text));
	add_text(to, "ipv6_addr", result, text);
}

/* Leave it out where the CPU copies. */
static void report_engine(struct json_object *to,
			  const struct doca_devinfo *info)
{
	char engine[OPEN_DOCA_ENGINE_NAME_SIZE] = "";
	doca_error_t result;

	result = open_doca_devinfo_get_engine(info, engine, sizeof(engine));
	if (result == DOCA_SUCCESS && !*engine)
		result = DOCA_ERROR_NOT_FOUND;
	add_text(to, "dma_engine", result, engine);
}

void device_report(struct json_object *to, const struct doca_devinfo *info)
{
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
	enum doca_pci_func_type type = 0;
	uint16_t lid = 0, vhca_id = 0;
	uint32_t sf_index = 0;
	uint64_t rate = 0;
	doca_error_t result;

	result = doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev));
	add_text(to, "ibdev_name", result, ibdev);
	result = doca_devinfo_get_iface_name(info, iface, sizeof(iface));
	add_text(to, "iface_name", result, iface);
	/* A device in software may have a made-up interface. */
	add_text(to, "iface_kind", result,
		 if_nametoindex(iface) ? "real" : "made up");
	report_mac(to, info);
	report_ip(to, info);
	result = doca_devinfo_get_lid(info, &lid);
	add_number(to, "lid", result, lid);
	result = doca_devinfo_get_active_rate(info, &rate);
	add_number(to, "active_rate", result, rate);
	result = doca_devinfo_get_vhca_id(info, &vhca_id);
	add_number(to, "vhca_id", result, vhca_id);
	result = doca_devinfo_get_pci_func_type(info, &type);
	add_text(to, "pci_func_type", result, func_type(type));
	result = doca_devinfo_get_sf_index(info, &sf_index);
	add_number(to, "sf_index", result, sf_index);
	report_engine(to, info);
}

static struct json_object *report_rep(const struct doca_devinfo_rep *rep)
{
	struct json_object *report = report_new_object();
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "";
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE] = "";
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
	enum doca_pci_func_type type = 0;
	doca_error_t result;

	result = doca_devinfo_rep_get_pci_addr_str(rep, pci);
	add_text(report, "pci_addr", result, pci);
	result = doca_devinfo_rep_get_pci_func_type(rep, &type);
	add_text(report, "pci_func_type", result, func_type(type));
	result = doca_devinfo_rep_get_vuid(rep, vuid, sizeof(vuid));
	add_text(report, "vuid", result, vuid);
	result = doca_devinfo_rep_get_iface_name(rep, iface, sizeof(iface));
	add_text(report, "iface_name", result, iface);
	return report;
}

static struct json_object *list_reps(struct doca_dev *dev)
{
	struct json_object *report = report_new_array();
	struct doca_devinfo_rep **list;
	uint32_t n;

	if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL,
					 &list, &n) != DOCA_SUCCESS)
		return report;
	for (uint32_t i = 0; i < n; i++)
		report_append(report, report_rep(list[i]));
	doca_devinfo_rep_destroy_list(list);
	return report;
}

void device_report_reps(struct json_object *to, struct doca_devinfo *info)
{
	struct doca_dev *dev;
	uint8_t can = 0;

	if (doca_devinfo_rep_cap_is_filter_all_supported(info, &can) !=
		    DOCA_SUCCESS ||
	    !can) {
		report_add(to, "representors", report_new_array());
		return;
	}
	if (doca_dev_open(info, &dev) != DOCA_SUCCESS) {
		report_add(to, "representors", NULL);
		return;
	}
	report_add(to, "representors", list_reps(dev));
	doca_dev_close(dev);
}
