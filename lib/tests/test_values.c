// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One set of headers for both releases: every enumerator of either has its value, renamed
 * ones have both names, and texts are constant; errors have texts, versions compare.
 */
#include <doca_argp.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_pe.h>
#include <doca_sync_event.h>
#include <doca_types.h>
#include <doca_version.h>

#include "ktap.h"

/* Check values from @first on, in steps of @step. */
#define EXPECT_RUN(first, step, ...)                                           \
	do {                                                                   \
		static const int run_[] = { __VA_ARGS__ };                     \
                                                                               \
		for (size_t i_ = 0; i_ < sizeof(run_) / sizeof(run_[0]); i_++) \
			EXPECT_EQ(run_[i_], (first) + (int)i_ * (step));       \
	} while (0)

TEST(enumerations_have_what_either_release_has_with_the_same_values)
{
	EXPECT_RUN(0, 1, DOCA_ARGP_TYPE_UNKNOWN, DOCA_ARGP_TYPE_STRING, DOCA_ARGP_TYPE_INT,
		   DOCA_ARGP_TYPE_BOOLEAN, DOCA_ARGP_TYPE_JSON_OBJ);
	EXPECT_RUN(0, 1, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_RUNNING,
		   DOCA_CTX_STATE_STOPPING);
	EXPECT_RUN(0, 2, DOCA_DEVINFO_REP_FILTER_ALL, DOCA_DEVINFO_REP_FILTER_NET,
		   DOCA_DEVINFO_REP_FILTER_EMULATED);
	EXPECT_RUN(0, 1, DOCA_SUCCESS, DOCA_ERROR_UNKNOWN, DOCA_ERROR_NOT_PERMITTED,
		   DOCA_ERROR_IN_USE, DOCA_ERROR_NOT_SUPPORTED, DOCA_ERROR_AGAIN,
		   DOCA_ERROR_INVALID_VALUE, DOCA_ERROR_NO_MEMORY, DOCA_ERROR_INITIALIZATION,
		   DOCA_ERROR_TIME_OUT, DOCA_ERROR_SHUTDOWN, DOCA_ERROR_CONNECTION_RESET,
		   DOCA_ERROR_CONNECTION_ABORTED, DOCA_ERROR_CONNECTION_INPROGRESS,
		   DOCA_ERROR_NOT_CONNECTED, DOCA_ERROR_NO_LOCK, DOCA_ERROR_NOT_FOUND,
		   DOCA_ERROR_IO_FAILED, DOCA_ERROR_BAD_STATE, DOCA_ERROR_UNSUPPORTED_VERSION,
		   DOCA_ERROR_OPERATING_SYSTEM, DOCA_ERROR_DRIVER, DOCA_ERROR_UNEXPECTED,
		   DOCA_ERROR_ALREADY_EXIST, DOCA_ERROR_FULL, DOCA_ERROR_EMPTY,
		   DOCA_ERROR_IN_PROGRESS, DOCA_ERROR_TOO_BIG, DOCA_ERROR_AUTHENTICATION,
		   DOCA_ERROR_BAD_CONFIG, DOCA_ERROR_SKIPPED);
	EXPECT_RUN(10, 10, DOCA_LOG_LEVEL_DISABLE, DOCA_LOG_LEVEL_CRIT, DOCA_LOG_LEVEL_ERROR,
		   DOCA_LOG_LEVEL_WARNING, DOCA_LOG_LEVEL_INFO, DOCA_LOG_LEVEL_DEBUG,
		   DOCA_LOG_LEVEL_TRACE);
	EXPECT_RUN(0, 1, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE, DOCA_PE_EVENT_MODE_PROGRESS_ALL);
	EXPECT_RUN(0, 1, DOCA_TASK_SUBMIT_FLAG_NONE, DOCA_TASK_SUBMIT_FLAG_FLUSH,
		   DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	EXPECT_RUN(0, 1, DOCA_EVENT_BATCH_EVENTS_NUMBER_1, DOCA_EVENT_BATCH_EVENTS_NUMBER_2,
		   DOCA_EVENT_BATCH_EVENTS_NUMBER_4, DOCA_EVENT_BATCH_EVENTS_NUMBER_8,
		   DOCA_EVENT_BATCH_EVENTS_NUMBER_16, DOCA_EVENT_BATCH_EVENTS_NUMBER_32,
		   DOCA_EVENT_BATCH_EVENTS_NUMBER_64, DOCA_EVENT_BATCH_EVENTS_NUMBER_128);
	EXPECT_RUN(0, 1, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32,
		   DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128);
	EXPECT_RUN(0, 1, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		   DOCA_ACCESS_FLAG_RDMA_READ);
	EXPECT_RUN(4, 4, DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ACCESS_FLAG_RDMA_ATOMIC);
	EXPECT_RUN(16, 16, DOCA_ACCESS_FLAG_PCI_READ_ONLY, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	EXPECT_EQ(DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, 64);
	EXPECT_RUN(0, 1, DOCA_PCI_FUNC_TYPE_PF, DOCA_PCI_FUNC_TYPE_VF, DOCA_PCI_FUNC_TYPE_SF);
	EXPECT_RUN(0, 1, DOCA_GPU_MEM_TYPE_GPU, DOCA_GPU_MEM_TYPE_GPU_CPU,
		   DOCA_GPU_MEM_TYPE_CPU_GPU);
	EXPECT_RUN(0, 1, DOCA_MTU_SIZE_256_BYTES, DOCA_MTU_SIZE_512_BYTES, DOCA_MTU_SIZE_1K_BYTES,
		   DOCA_MTU_SIZE_2K_BYTES, DOCA_MTU_SIZE_4K_BYTES, DOCA_MTU_SIZE_RAW_ETHERNET);
	EXPECT_RUN(0, 1, DOCA_ETH_WAIT_ON_TIME_TYPE_NONE, DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE,
		   DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK);
}

#define SAME(old, new, ...)                                     \
	do {                                                    \
		EXPECT_EQ(old(__VA_ARGS__), new (__VA_ARGS__)); \
		EXPECT((void *)old != (void *)new);             \
	} while (0)

/* The older names are deprecated; the tests ignore that. */
TEST(functions_that_were_renamed_exist_under_both_names)
{
	SAME(doca_sync_event_add_publisher_location_dpu,
	     doca_sync_event_add_publisher_location_remote_pci, NULL);
	SAME(doca_sync_event_add_subscriber_location_dpu,
	     doca_sync_event_add_subscriber_location_remote_pci, NULL);
	SAME(doca_sync_event_export_to_dpu, doca_sync_event_export_to_remote_pci, NULL, NULL, NULL,
	     NULL);
	SAME(doca_sync_event_export_to_dpa, doca_sync_event_get_dpa_handle, NULL, NULL, NULL);
	SAME(doca_sync_event_export_to_gpu, doca_sync_event_get_gpu_handle, NULL, NULL, NULL);
	SAME(doca_sync_event_remote_net_export_to_dpa, doca_sync_event_remote_net_get_dpa_handle,
	     NULL, NULL, NULL);
	SAME(doca_sync_event_remote_net_export_to_gpu, doca_sync_event_remote_net_get_gpu_handle,
	     NULL, NULL, NULL);
	SAME(doca_sync_event_cap_is_export_to_dpu_supported,
	     doca_sync_event_cap_is_export_to_remote_pci_supported, NULL);
}

#define CONSTANT(text) EXPECT(_Generic(text, const char * : 1, default : 0))

TEST(texts_are_constant)
{
	CONSTANT(doca_error_get_name(DOCA_SUCCESS));
	CONSTANT(doca_error_get_descr(DOCA_SUCCESS));
	CONSTANT(doca_version());
	CONSTANT(doca_version_runtime());
}

#define UNRECOGNIZED "unrecognized error code"

TEST(every_code_has_texts_of_its_own)
{
	EXPECT_STR(doca_error_get_name(DOCA_SUCCESS), "DOCA_SUCCESS");
	EXPECT_STR(doca_error_get_name(DOCA_ERROR_SKIPPED), "DOCA_ERROR_SKIPPED");
	for (int i = DOCA_SUCCESS; i <= DOCA_ERROR_SKIPPED; i++) {
		EXPECT(!strncmp(doca_error_get_name(i), "DOCA_", 5));
		EXPECT(*doca_error_get_descr(i));
		for (int j = DOCA_SUCCESS; j < i; j++) {
			EXPECT(strcmp(doca_error_get_name(i), doca_error_get_name(j)));
			EXPECT(strcmp(doca_error_get_descr(i), doca_error_get_descr(j)));
		}
	}
}

TEST(unknown_codes_have_texts_too)
{
	static const int unknown[] = { DOCA_ERROR_SKIPPED + 1, 1000, -1, (int)0x80000000,
				       0x7fffffff };

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		doca_error_t error = (doca_error_t)unknown[i];

		EXPECT_STR(doca_error_get_name(error), UNRECOGNIZED);
		EXPECT_STR(doca_error_get_descr(error), UNRECOGNIZED);
	}
}

TEST(propagate_keeps_the_first_error)
{
	doca_error_t result = DOCA_SUCCESS;

	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	EXPECT_EQ(result, DOCA_SUCCESS);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_AGAIN);
	EXPECT_EQ(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_FULL);
	EXPECT_EQ(result, DOCA_ERROR_AGAIN);
	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	EXPECT_EQ(result, DOCA_ERROR_AGAIN);
	if (DOCA_IS_ERROR(DOCA_SUCCESS))
		DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	else
		EXPECT(DOCA_IS_ERROR(result));
}

TEST(version_is_that_of_the_headers)
{
	char official[32];

	snprintf(official, sizeof(official), "%d.%d.%04d", DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR,
		 DOCA_VERSION_PATCH);
	EXPECT_STR(DOCA_VERSION_STRING, official);
	EXPECT_STR(doca_version(), DOCA_VERSION_STRING);
	EXPECT_STR(doca_version_runtime(), DOCA_VERSION_STRING);
}

TEST(versions_compare)
{
	EXPECT(DOCA_VERSION_EQ_CURRENT(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH));
	EXPECT(!DOCA_VERSION_EQ_CURRENT(2, 5, 1));
	EXPECT(DOCA_VERSION_LTE_CURRENT(2, 5, 1));
	EXPECT(DOCA_VERSION_LTE_CURRENT(3, 0, 58));
	EXPECT(!DOCA_VERSION_LTE_CURRENT(3, 1, 0));
	EXPECT(!DOCA_VERSION_LTE_CURRENT(4, 0, 0));
	EXPECT_EQ(DOCA_VERSION_EXACT, DOCA_VERSION_CALC_EXACT(3, 0, 58));
}

struct versioned {
	DOCA_STRUCT_START;
	int value;
};

TEST(structures_know_their_version)
{
	DOCA_STRUCT_DEF(versioned, defined);
	struct versioned listed = { DOCA_STRUCT_CTOR_LIST_START, .value = 1 };
	struct versioned cleared = { .value = 1 };
	struct versioned *ptr = &cleared;

	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(&defined), DOCA_VERSION_EXACT);
	EXPECT_EQ(defined.value, 0);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(&listed), DOCA_VERSION_EXACT);
	EXPECT_EQ(listed.value, 1);
	DOCA_STRUCT_CTOR(cleared);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(ptr), DOCA_VERSION_EXACT);
	EXPECT_EQ(cleared.value, 1);
	ptr->__doca_api_version = 0;
	DOCA_STRUCT_PTR_CTOR(ptr);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(ptr), DOCA_VERSION_EXACT);
	DOCA_STRUCT_PTR_MEMSET_CTOR(ptr);
	EXPECT_EQ(DOCA_STRUCT_GET_VERSION(ptr), DOCA_VERSION_EXACT);
	EXPECT_EQ(cleared.value, 0);
	cleared.value = 1;
	DOCA_STRUCT_MEMSET_CTOR(cleared);
	EXPECT_EQ(cleared.value, 0);
}
