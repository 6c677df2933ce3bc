// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A process that has nothing to do costs nothing: no thread that it needs not, no wake-up. */
#include <dirent.h>

#include "bed.h"

#define LEN (1 << 20)
#define SECONDS 10

struct desc {
	size_t len;
	char bytes[512];
	int turn;
};

struct threads {
	unsigned int nr;
	unsigned long switches;
};

static unsigned long switches_of(pid_t pid, const char *tid)
{
	unsigned long switches = 0, n;
	char path[320], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/status", pid, tid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &n) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %lu", &n) == 1)
			switches += n;
	if (f)
		fclose(f);
	return switches;
}

static struct threads threads_of(pid_t pid)
{
	struct threads threads = {};
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		threads.nr++;
		threads.switches += switches_of(pid, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return threads;
}

static void set_turn(struct desc *desc, int turn)
{
	__atomic_store_n(&desc->turn, turn, __ATOMIC_RELEASE);
}

static bool await_turn(const struct desc *desc, int turn)
{
	double end = bed_now() + patiently(10);

	while (__atomic_load_n(&desc->turn, __ATOMIC_ACQUIRE) < turn &&
	       bed_now() < end)
		usleep(1000);
	return __atomic_load_n(&desc->turn, __ATOMIC_ACQUIRE) >= turn;
}

/* One copy, so that all there is has been used, and then nothing. */
static int copy_and_idle(struct desc *desc, struct doca_dev *dev,
			 struct doca_mmap *from, char *src)
{
	struct doca_mmap *to;
	struct bed bed;
	char *dst = malloc(LEN);

	if (bed_mmap(dst, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		     &to) ||
	    bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx) ||
	    bed_copy(&bed, from, src, to, dst, LEN) ||
	    !BED_UNTIL(&bed, bed.succeeded == 1) || memcmp(src, dst, LEN))
		return 1;
	set_turn(desc, desc->turn + 1);
	for (;;)
		pause();
}

static int idler(struct desc *desc)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *from;
	char *src = calloc(1, LEN);

	if (!dev || bed_mmap(src, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev,
			     NULL, &from))
		return 1;
	return copy_and_idle(desc, dev, from, src);
}

static int exporter(struct desc *desc, char *mem)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *exported;
	const void *bytes;

	if (!dev ||
	    bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_PCI_READ_WRITE, dev, NULL,
		     &exported) ||
	    doca_mmap_export_pci(exported, dev, &bytes, &desc->len))
		return 1;
	memcpy(desc->bytes, bytes, desc->len);
	set_turn(desc, 1);
	for (;;)
		pause();
}

static int importer(struct desc *desc, char *theirs)
{
	struct doca_dev *dev;
	struct doca_mmap *imported;

	if (!await_turn(desc, 1))
		return 1;
	dev = bed_open_dev(NULL);
	if (!dev || doca_mmap_create_from_export(NULL, desc->bytes, desc->len,
						 dev, &imported))
		return 1;
	return copy_and_idle(desc, dev, imported, theirs);
}

static void *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Whether threads come and go, or are woken, each time that it is looked. */
static bool are_busy(const pid_t *pids, int nr)
{
	struct threads before[2], after;
	bool busy = true;
	int i, round;

	/* On a loaded machine they may not yet have come to rest. */
	for (round = 0; busy && round < 2; round++) {
		for (i = 0; i < nr; i++)
			before[i] = threads_of(pids[i]);
		sleep(SECONDS);
		busy = false;
		for (i = 0; i < nr; i++) {
			after = threads_of(pids[i]);
			busy |= !after.switches || after.nr != before[i].nr ||
				after.switches != before[i].switches;
		}
	}
	return busy;
}

TEST(a_process_that_exports_nothing)
{
	struct desc *desc = map(sizeof(*desc));
	pid_t pid = quiet_fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(idler(desc));
	}
	ASSERT_TRUE(await_turn(desc, 1));
	sleep(1);
	EXPECT_EQ(1 + bed_workers(), threads_of(pid).nr);
	EXPECT_FALSE(are_busy(&pid, 1));
	end(pid);
}

TEST(two_that_are_connected)
{
	struct desc *desc = map(sizeof(*desc));
	char *mem = map(LEN);
	pid_t pids[2];
	int i;

	for (i = 0; i < 2; i++) {
		pids[i] = quiet_fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(i ? importer(desc, mem) : exporter(desc, mem));
		}
	}
	ASSERT_TRUE(await_turn(desc, 2));
	sleep(1);
	for (i = 0; i < 2; i++)
		EXPECT_LT(1, threads_of(pids[i]).nr);
	EXPECT_FALSE(are_busy(pids, 2));
	for (i = 0; i < 2; i++)
		end(pids[i]);
}

TEST_HARNESS_MAIN
