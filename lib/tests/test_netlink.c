// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Requests to the driver's family of generic netlink, and how answers are read. */
#include "fake_netlink.h"

#include "fault.h"
#include "core/device/dev.h"
#include "core/driver/device_id.h"
#include "core/driver/function.h"
#include "core/driver/genetlink.h"
#include "core/driver/netlink.h"

static void u32(struct fake_datagram *d, uint16_t type, uint32_t value)
{
	fake_attr(d, type, &value, sizeof(value));
}

static void text(struct fake_datagram *d, uint16_t type, const char *value)
{
	fake_attr(d, type, value, strlen(value) + 1);
}

static struct nlmsghdr *begin_device(struct fake_datagram *d, uint32_t id, const char *name)
{
	struct nlmsghdr *header = fake_message(d, FAMILY, NLM_F_MULTI);

	if (id)
		u32(d, DOCA_GENL_A_DEV_ID, id);
	u32(d, DOCA_GENL_A_DEV_TYPE, DOCA_DEV_RDMA);
	text(d, DOCA_GENL_A_DEV_NAME, name);
	return header;
}

static struct nlmsghdr *device(struct fake_datagram *d, uint32_t id, const char *name)
{
	struct nlmsghdr *header = begin_device(d, id, name);

	fake_end(d, header);
	return header;
}

static void done(struct fake_datagram *d)
{
	fake_code(d, NLMSG_DONE, 0);
}

/* Expect @n devices, of which the caller frees the list. */
static struct doca_devinfo *list(uint32_t n)
{
	struct doca_devinfo *infos = NULL;
	uint32_t found = 0;

	EXPECT_EQ(netlink_list_devices(&infos, &found), 0);
	if (found != n)
		abort();
	return infos;
}

TEST(devices_are_what_the_driver_says)
{
	struct doca_devinfo *infos;
	struct fake_datagram *d;
	struct nlmsghdr *header;
	const uint64_t guid = 77;

	fake_reset();
	d = fake_answer();
	header = begin_device(d, 3, "rxe0");
	fake_attr(d, DOCA_GENL_A_DEV_GUID, &guid, sizeof(guid));
	u32(d, DOCA_GENL_A_DEV_NUMA_NODE, 1);
	u32(d, DOCA_GENL_A_DEV_PORTS, 2);
	text(d, DOCA_GENL_A_DEV_PCI, "0000:03:00.0");
	text(d, DOCA_GENL_A_ENGINE_NAME, "0000:6a:01.0");
	fake_end(d, header);
	device(d, 0, "without an id, so not understood");
	d = fake_answer();
	device(d, 4, "rxe1");
	done(d);
	infos = list(2);
	EXPECT_EQ(kernel.request.nlmsg_type, FAMILY);
	EXPECT((kernel.request.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP);
	EXPECT_EQ(infos[0].id, 3);
	EXPECT_EQ(infos[0].type, DOCA_DEV_RDMA);
	EXPECT_STR(infos[0].name, "rxe0");
	EXPECT_STR(infos[0].pci, "0000:03:00.0");
	EXPECT_EQ(infos[0].guid, 77);
	EXPECT_EQ(infos[0].numa_node, 1);
	EXPECT_EQ(infos[0].nr_ports, 2);
	EXPECT_STR(infos[0].engine, "0000:6a:01.0");
	EXPECT_EQ(infos[1].id, 4);
	EXPECT_STR(infos[1].pci, "");
	EXPECT_EQ(infos[1].numa_node, -1);
	EXPECT_STR(infos[1].engine, "");
	free(infos);
	fake_reset();
}

static void function(struct fake_datagram *d, uint32_t id, const char *vuid, uint32_t host)
{
	struct nlmsghdr *header = fake_message(d, FAMILY, NLM_F_MULTI);

	u32(d, DOCA_GENL_A_FUNCTION_ID, id);
	text(d, DOCA_GENL_A_FUNCTION_VUID, vuid);
	u32(d, DOCA_GENL_A_DPU_ID, 3);
	if (host)
		u32(d, DOCA_GENL_A_HOST_ID, host);
	fake_end(d, header);
}

TEST(functions_are_what_the_driver_says)
{
	struct driver_function *functions = NULL;
	struct fake_datagram *d;
	char long_vuid[200];
	uint32_t n = 0;

	fake_reset();
	memset(long_vuid, 'x', sizeof(long_vuid) - 1);
	long_vuid[sizeof(long_vuid) - 1] = '\0';
	d = fake_answer();
	function(d, 7, "OPENDOCA-pair0", 4);
	function(d, 8, "without a host, so not understood", 0);
	function(d, 9, long_vuid, 5);
	done(d);
	EXPECT_EQ(netlink_list_functions(&functions, &n), 0);
	ASSERT(n == 2);
	EXPECT_EQ(functions[0].id, 7);
	EXPECT_EQ(functions[0].dpu, 3);
	EXPECT_EQ(functions[0].host, 4);
	EXPECT_STR(functions[0].vuid, "OPENDOCA-pair0");
	EXPECT_EQ(functions[1].id, 9);
	EXPECT_EQ(strlen(functions[1].vuid), DOCA_DEVINFO_REP_VUID_SIZE - 1);
	free(functions);
	fake_reset();
}

TEST(an_rdma_device_is_found_by_its_name)
{
	struct fake_datagram *d;
	uint32_t id = 0;

	fake_reset();
	d = fake_answer();
	device(d, 3, "rxe0");
	device(d, 4, "rxe1");
	done(d);
	EXPECT_EQ(doca_priv_device_id("rxe1", &id), 0);
	EXPECT_EQ(id, 4);
	kernel.taken = 0;
	EXPECT_EQ(doca_priv_device_id("rxe2", &id), -ENODEV);
	kernel.family_err = ENOENT;
	EXPECT_EQ(doca_priv_device_id("rxe1", &id), -ENOENT);
	EXPECT_EQ(id, 4);
	fake_reset();
}

TEST(a_list_is_as_long_as_it_must_be)
{
	struct doca_devinfo *infos = NULL;
	struct fake_datagram *d;
	uint32_t n = 0;

	fake_reset();
	for (uint32_t i = 0; i < 15; i++)
		device(fake_answer(), i + 1, "rxe");
	d = fake_answer();
	done(d);
	fault_at(FAULT_ALLOC, 1);
	do {
		int err;

		kernel.taken = 0;
		err = netlink_list_devices(&infos, &n);
		EXPECT_EQ(err, fault_happened(FAULT_ALLOC) ? -ENOMEM : 0);
	} while (fault_next(FAULT_ALLOC));
	EXPECT_EQ(n, 15);
	EXPECT_EQ(infos[14].id, 15);
	free(infos);
	fake_reset();
}

TEST(a_list_that_changed_meanwhile_is_taken_anew)
{
	struct doca_devinfo *infos = NULL;
	struct fake_datagram *d;
	uint32_t n = 0;

	fake_reset();
	d = fake_answer();
	device(d, 1, "rxe0")->nlmsg_flags |= NLM_F_DUMP_INTR;
	done(d);
	d = fake_answer();
	device(d, 2, "rxe1");
	done(d);
	infos = list(1);
	EXPECT_EQ(kernel.requests, 2);
	EXPECT_EQ(infos[0].id, 2);
	free(infos);

	fake_reset();
	for (int i = 0; i < FAKE_ANSWERS; i++) {
		d = fake_answer();
		done(d);
		((struct nlmsghdr *)(void *)d->bytes)->nlmsg_flags |= NLM_F_DUMP_INTR;
	}
	EXPECT_EQ(netlink_list_devices(&infos, &n), -EINTR);
	EXPECT(kernel.requests < FAKE_ANSWERS);
	fake_reset();
}

TEST(errors_of_the_kernel_are_returned)
{
	int *const at[] = { &kernel.socket_err, &kernel.family_err, &kernel.send_err };
	static const int errs[] = { ENOMEM, ENOENT, ENODEV, EMFILE, EPERM };
	struct doca_devinfo *infos;
	uint32_t n;

	for (int i = 0; i < 15; i++) {
		fake_reset();
		*at[i % 3] = errs[i / 3];
		EXPECT_EQ(netlink_list_devices(&infos, &n), -errs[i / 3]);
		EXPECT_EQ(netlink_check_device(1), -errs[i / 3]);
	}
	for (int i = 0; i < 5; i++) {
		fake_reset();
		fake_code(fake_answer(), i ? NLMSG_ERROR : NLMSG_DONE, -errs[i]);
		fake_answer()->err = errs[i];
		EXPECT_EQ(netlink_list_devices(&infos, &n), -errs[i]);
		EXPECT_EQ(netlink_list_devices(&infos, &n), -errs[i]);
	}
	fake_reset();
	kernel.family_without_id = true;
	EXPECT_EQ(netlink_check_device(1), -EIO);
	fake_reset();
}

TEST(one_device_is_asked_for_by_its_id)
{
	fake_reset();
	device(fake_answer(), 9, "rxe0")->nlmsg_flags = 0;
	EXPECT_EQ(netlink_check_device(9), 0);
	EXPECT_EQ(kernel.asked_id, 9);
	EXPECT(!(kernel.request.nlmsg_flags & NLM_F_DUMP));
	fake_code(fake_answer(), NLMSG_ERROR, -ENODEV);
	EXPECT_EQ(netlink_check_device(9), -ENODEV);
	fake_reset();
}

TEST(others_than_the_kernel_and_other_requests_are_not_heard)
{
	struct fake_datagram *d;
	struct doca_devinfo *infos;

	fake_reset();
	d = fake_answer();
	d->from = 4711;
	device(d, 1, "a liar");
	done(d);
	fake_answer()->err = EINTR;
	d = fake_answer();
	device(d, 2, "of an earlier request")->nlmsg_seq = 1000;
	fake_message(d, FAMILY + 1, NLM_F_MULTI)->nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	device(d, 3, "rxe0");
	done(d);
	infos = list(1);
	EXPECT_EQ(infos[0].id, 3);
	free(infos);
	fake_reset();
}

/* No length leads beyond a message. */
TEST(answers_that_are_cut_off_are_read_as_far_as_they_go)
{
	struct doca_devinfo *infos = NULL;
	struct fake_datagram *d;
	uint32_t n = 0;

	fake_reset();
	d = fake_answer();
	device(d, 1, "rxe0");
	for (size_t len = NLMSG_HDRLEN; len < d->len; len++) {
		struct fake_datagram *end = &kernel.answers[1];

		((struct nlmsghdr *)(void *)d->bytes)->nlmsg_len = len;
		kernel.filled = 1;
		kernel.taken = 0;
		memset(end, 0, sizeof(*end));
		done(fake_answer());
		EXPECT_EQ(netlink_list_devices(&infos, &n), 0);
		EXPECT_EQ(n, len >= NLMSG_HDRLEN + GENL_HDRLEN + 16);
		free(infos);
		infos = NULL;
	}
	fake_reset();
}

TEST(a_name_of_a_family_has_a_greatest_length)
{
	struct genetlink netlink;

	fake_reset();
	EXPECT_EQ(genetlink_open(&netlink, "sixteen_letters_"), -EINVAL);
	EXPECT_EQ(kernel.open, 0);
	fake_reset();
}
