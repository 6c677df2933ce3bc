// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Refusals when DMA engines are added and removed, on a machine without any. */
#include <fcntl.h>
#include <sys/wait.h>

#include "doca_nl.h"
#include "kselftest_harness.h"

#define SOMEBODY 65534
#define PARAMETERS "/sys/module/doca/parameters/"

FIXTURE(engine_admin) {
	struct family nl;
};

FIXTURE_SETUP(engine_admin)
{
	ASSERT_EQ(0, family_open(&self->nl));
	if (access(PARAMETERS "engines", F_OK))
		SKIP_SETUP("the kernel has no DMA engines");
}

FIXTURE_TEARDOWN(engine_admin)
{
	family_close(&self->nl);
}

static int change(struct family *nl, int cmd, const char *name)
{
	return family_request(nl, cmd, NLM_F_ACK, DOCA_GENL_A_ENGINE_NAME, name,
			      name ? strlen(name) + 1 : 0);
}

TEST_F(engine_admin, unknown_names)
{
	char longest[65];

	EXPECT_EQ(-ENODEV, change(&self->nl, DOCA_GENL_CMD_ENGINE_ADD, "nope"));
	EXPECT_STREQ("there is no such device", self->nl.message);
	EXPECT_EQ(-ENODEV, change(&self->nl, DOCA_GENL_CMD_ENGINE_DEL, "nope"));
	EXPECT_STREQ("there is no such engine", self->nl.message);
	EXPECT_EQ(-ENODEV, change(&self->nl, DOCA_GENL_CMD_ENGINE_ADD, ""));

	memset(longest, 'x', sizeof(longest));
	longest[63] = '\0';
	EXPECT_EQ(-ENODEV,
		  change(&self->nl, DOCA_GENL_CMD_ENGINE_ADD, longest));
	longest[63] = 'x';
	longest[64] = '\0';
	EXPECT_EQ(-EINVAL,
		  change(&self->nl, DOCA_GENL_CMD_ENGINE_ADD, longest));
	/* no zero at the end */
	EXPECT_EQ(-EINVAL, family_request(&self->nl, DOCA_GENL_CMD_ENGINE_ADD,
					  NLM_F_ACK, DOCA_GENL_A_ENGINE_NAME,
					  "abcd", 4));
}

/* A device that exists, but copies nothing */
TEST_F(engine_admin, no_channels)
{
	EXPECT_EQ(-ENODEV, change(&self->nl, DOCA_GENL_CMD_ENGINE_ADD,
				  "0000:00:00.0"));
}

TEST_F(engine_admin, without_a_name)
{
	EXPECT_EQ(-EINVAL, change(&self->nl, DOCA_GENL_CMD_ENGINE_ADD, NULL));
	EXPECT_EQ(-EINVAL, change(&self->nl, DOCA_GENL_CMD_ENGINE_DEL, NULL));
}

TEST_F(engine_admin, only_the_administrator)
{
	pid_t pid = fork();
	int status;

	ASSERT_LE(0, pid);
	if (!pid) {
		struct family nl;
		int bad;

		if (setresuid(SOMEBODY, SOMEBODY, SOMEBODY) || family_open(&nl))
			_exit(100);
		bad = change(&nl, DOCA_GENL_CMD_ENGINE_ADD, "x") != -EPERM;
		bad |= (change(&nl, DOCA_GENL_CMD_ENGINE_DEL, "x") != -EPERM)
		       << 1;
		_exit(bad);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(engine_admin, anybody_may_list)
{
	struct listing l = {};
	__u32 id = 1;

	ASSERT_EQ(0, family_list(&self->nl, DOCA_GENL_CMD_ENGINE_GET, &l));
	listing_free(&l);
	EXPECT_EQ(-EINVAL, family_request(&self->nl, DOCA_GENL_CMD_ENGINE_GET,
					  NLM_F_DUMP, DOCA_GENL_A_DEV_ID, &id,
					  sizeof(id)));
}

static int parameter_write(const char *name, const char *value)
{
	char path[128];
	int fd, rc;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	rc = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

static unsigned long parameter(const char *name)
{
	unsigned long value = 0;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%lu", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

TEST_F(engine_admin, numbers_that_make_no_sense_change_nothing)
{
	static const struct {
		const char *name;
		const char *value;
	} bad[] = {
		{ "engine_min", "3" },	     { "engine_min", "4097" },
		{ "engine_min", "0" },
		{ "engine_min", "x" },	     { "engine_window", "0" },
		{ "engine_window", "4095" }, { "engine_timeout_ms", "0" },
		{ "engine_timeout_ms", "60001" },
	};
	unsigned long before;
	char was[24];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		before = parameter(bad[i].name);
		EXPECT_EQ(-EINVAL, parameter_write(bad[i].name, bad[i].value));
		EXPECT_EQ(before, parameter(bad[i].name));
	}
	before = parameter("engine_min");
	EXPECT_EQ(0, parameter_write("engine_min", "8192"));
	EXPECT_EQ(8192, parameter("engine_min"));
	snprintf(was, sizeof(was), "%lu", before);
	EXPECT_EQ(0, parameter_write("engine_min", was));
}

TEST_HARNESS_MAIN
