// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The choice of the driver: each cell of the table in doca(7), of DOCA_DRIVER and of the
 * state of /dev/doca. The choice is final, so each needs its own process.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <doca_dev.h>
#include <open_doca.h>

#include "core/driver/driver.h"
#include "core/driver/driver_choice.h"
#include "core/driver/ibdevs.h"
#include "process/driver/inproc.h"
#include "in_child.h"
#include "logged.h"

/* A fake kernel: the result of open(), and the versions of the module. */
static struct {
	int open_err;
	uint32_t abi_version, ring_version;
	const char *release; /* NULL: it cannot be read */
	int opens;
} kernel;

static int file_with(const char *text)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	EXPECT_EQ(pwrite(fd, text, strlen(text), 0), strlen(text));
	return fd;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (!strcmp(path, "/dev/doca")) {
		kernel.opens++;
		errno = kernel.open_err;
		return errno ? -1 : memfd_create("doca", MFD_CLOEXEC);
	}
	if (!strcmp(path, "/sys/module/doca/version")) {
		errno = ENOENT;
		return kernel.release ? file_with(kernel.release) : -1;
	}
	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == DOCA_QUERY) {
		((struct doca_query *)arg)->out_abi_version = kernel.abi_version;
		((struct doca_query *)arg)->out_ring_version = kernel.ring_version;
	}
	return 0;
}

enum { KERNEL_OPENS, KERNEL_IS_ABSENT, KERNEL_REFUSES, KERNEL_IS_OTHER };

static void set_up(int state, const char *word)
{
	if (word)
		setenv("DOCA_DRIVER", word, 1);
	else
		unsetenv("DOCA_DRIVER");
	ibdevs_nodes = "/nowhere";
	doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_INFO);
	kernel.opens = 0;
	kernel.open_err = state == KERNEL_IS_ABSENT ? ENOENT : state == KERNEL_REFUSES ? EACCES : 0;
	kernel.abi_version = DOCA_ABI_VERSION;
	kernel.ring_version = DOCA_RING_VERSION + (state == KERNEL_IS_OTHER);
	logged();
}

static void expect_driver(int state, const char *word, const char *driver)
{
	set_up(state, word);
	EXPECT(!open_doca_driver());
	EXPECT_EQ(driver_get(), 0);
	EXPECT_STR(open_doca_driver(), driver);
	driver_put();
	EXPECT_STR(open_doca_driver(), driver);
}

static void expect_error(int state, const char *word, int err)
{
	set_up(state, word);
	EXPECT_EQ(driver_get(), -err);
	EXPECT_SILENT();
	EXPECT(!open_doca_driver());
}

TEST(the_kernel_is_taken_where_it_opens)
{
	IN_CHILD(expect_driver(KERNEL_OPENS, NULL, "kernel"));
	IN_CHILD(expect_driver(KERNEL_OPENS, "", "kernel"));
	IN_CHILD(expect_driver(KERNEL_OPENS, "auto", "kernel"));
	IN_CHILD(expect_driver(KERNEL_OPENS, "kernel", "kernel"));
}

static void by_itself(const char *word, int err)
{
	set_up(KERNEL_IS_ABSENT, word);
	kernel.open_err = err;
	EXPECT_EQ(driver_get(), 0);
	EXPECT_STR(open_doca_driver(), "process");
	EXPECT_LOGGED("[WRN]");
	driver_put();
	/* once, and for good: the module may have been loaded meanwhile */
	kernel.open_err = 0;
	kernel.opens = 0;
	EXPECT_EQ(driver_get(), 0);
	EXPECT_STR(open_doca_driver(), "process");
	EXPECT_EQ(kernel.opens, 0);
	EXPECT_SILENT();
	driver_put();
}

static void of_release(const char *release, const char *words)
{
	set_up(KERNEL_OPENS, NULL);
	kernel.release = release;
	EXPECT_EQ(driver_get(), 0);
	if (words)
		EXPECT_LOGGED(words);
	EXPECT_EQ(driver_get(), 0);
	EXPECT_SILENT();
}

TEST(a_module_of_another_release_is_told_once)
{
	IN_CHILD(of_release("0.0.1\n",
			    "module is of release 0.0.1, the libraries are of " RELEASE ":"));
	IN_CHILD(of_release(RELEASE "\n", NULL));
	IN_CHILD(of_release("", NULL));
}

static void in_one_line(const char *release, int calls, int rings, const char *words)
{
	struct doca_devinfo **list;
	const char *text;
	uint32_t n;

	set_up(KERNEL_OPENS, NULL);
	kernel.release = release;
	kernel.abi_version = DOCA_ABI_VERSION + calls;
	kernel.ring_version = DOCA_RING_VERSION + rings;
	EXPECT_EQ(doca_devinfo_create_list(&list, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 0);
	text = logged();
	EXPECT(strstr(text, words));
	EXPECT(strchr(text, '\n') == text + strlen(text) - 1);
	EXPECT_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
}

static void of_more_calls(void)
{
	set_up(KERNEL_OPENS, NULL);
	kernel.abi_version++;
	EXPECT_EQ(driver_get(), 0);
	EXPECT_STR(open_doca_driver(), "kernel");
}

/* A module that has more calls does; one that lacks some, or has other rings, does not. */
TEST(a_module_that_does_not_do_is_told_in_one_line_with_the_versions_of_both)
{
	char words[3][256];

	snprintf(
		words[0], sizeof(words[0]),
		"no devices: the module, of release 0.0.1, has version %d of calls and %d of rings, "
		"but the libraries, of " RELEASE ", need %d and %d: install both from one release",
		DOCA_ABI_VERSION - 1, DOCA_RING_VERSION, DOCA_ABI_VERSION, DOCA_RING_VERSION);
	snprintf(words[1], sizeof(words[1]),
		 "of release 9.9, has version %d of calls and %d of rings, ", DOCA_ABI_VERSION + 1,
		 DOCA_RING_VERSION + 1);
	snprintf(words[2], sizeof(words[2]), "of release unknown, has version %d ",
		 DOCA_ABI_VERSION - 1);
	IN_CHILD(in_one_line("0.0.1\n", -1, 0, words[0]));
	IN_CHILD(in_one_line("9.9\n", 1, 1, words[1]));
	IN_CHILD(in_one_line(NULL, -1, 0, words[2]));
	IN_CHILD(of_more_calls());
}

TEST(the_process_is_taken_where_there_is_no_kernel)
{
	IN_CHILD(by_itself(NULL, ENOENT));
	IN_CHILD(by_itself("", ENXIO));
	IN_CHILD(by_itself("auto", ENODEV));
	IN_CHILD(expect_error(KERNEL_IS_ABSENT, "kernel", ENOENT));
}

static void asked_for(int state)
{
	expect_driver(state, "process", "process");
	EXPECT_LOGGED("[INF]");
	EXPECT_EQ(kernel.opens, 0);
}

TEST(the_process_is_taken_where_it_is_asked_for)
{
	IN_CHILD(asked_for(KERNEL_OPENS));
	IN_CHILD(asked_for(KERNEL_IS_ABSENT));
	IN_CHILD(asked_for(KERNEL_REFUSES));
	IN_CHILD(asked_for(KERNEL_IS_OTHER));
}

TEST(a_kernel_that_refuses_is_not_passed_by)
{
	IN_CHILD(expect_error(KERNEL_REFUSES, NULL, EACCES));
	IN_CHILD(expect_error(KERNEL_REFUSES, "kernel", EACCES));
}

TEST(a_broken_installation_is_not_hidden)
{
	IN_CHILD(expect_error(KERNEL_IS_OTHER, NULL, EPROTO));
	IN_CHILD(expect_error(KERNEL_IS_OTHER, "kernel", EPROTO));
}

static void unknown(const char *word)
{
	struct doca_devinfo **list;
	uint32_t n;

	expect_error(KERNEL_OPENS, word, DRIVER_WORD_ERROR);
	FAILS(doca_devinfo_create_list(&list, &n), NOT_CONNECTED,
	      "DOCA_DRIVER is none of auto, kernel and process");
	EXPECT_EQ(kernel.opens, 0);
}

TEST(an_unknown_word_is_an_error)
{
	IN_CHILD(unknown("Process"));
	IN_CHILD(unknown("kernel "));
}

/* The environment is read once: later changes have no effect. */
static void change_it(void)
{
	expect_error(KERNEL_REFUSES, "kernel", EACCES);
	expect_error(KERNEL_IS_ABSENT, "process", ENOENT);
}

TEST(the_environment_is_read_once)
{
	IN_CHILD(change_it());
}

static void expect_two(void)
{
	struct doca_devinfo **list;
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
	static const char *const addrs[] = { "0000:03:00.0", "b1:00.0" };
	static const char *const names[] = { "software", "software1" };
	static const char *const ifaces[] = { "p0", "p1" };
	uint8_t equal, mac[DOCA_DEVINFO_MAC_ADDR_SIZE];
	uint32_t n, i;

	ASSERT(doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS);
	EXPECT_EQ(n, 2);
	for (i = 0; i < n && i < 2; i++) {
		equal = 0;
		OK(doca_devinfo_is_equal_pci_addr(list[i], addrs[i], &equal));
		EXPECT_EQ(equal, 1);
		OK(doca_devinfo_get_ibdev_name(list[i], text, sizeof(text)));
		EXPECT_STR(text, names[i]);
		OK(doca_devinfo_get_iface_name(list[i], text, sizeof(text)));
		EXPECT_STR(text, ifaces[i]);
		ERR(doca_devinfo_get_mac_addr(list[i], mac, sizeof(mac)), NOT_SUPPORTED);
	}
	doca_devinfo_destroy_list(list);
}

static struct driver_queue queue;

/* The parent's objects are dead in the child, which may begin anew. */
static void fork_in_between(void)
{
	const struct driver_queue_attr attr = { .device_id = 1, .entries = 64 };
	struct driver_queue other;

	set_up(KERNEL_IS_ABSENT, "process");
	EXPECT_EQ(driver_get(), 0);
	EXPECT_EQ(driver_queue_create(&queue, &attr), 0);
	IN_CHILD({
		EXPECT(!driver_current(queue.generation));
		EXPECT(fcntl(queue.fd, F_GETFD) < 0);
		driver_queue_destroy(&queue);
		expect_two();
		EXPECT_EQ(driver_get(), 0);
		EXPECT_EQ(driver_queue_create(&other, &attr), 0);
		EXPECT_EQ(driver_queue_enter(&other), 0);
		IN_CHILD(expect_two());
		driver_queue_destroy(&other);
		driver_put();
	});
	EXPECT_EQ(driver_queue_enter(&queue), 0);
	driver_queue_destroy(&queue);
	driver_put();
}

TEST(the_child_of_a_fork_begins_anew)
{
	IN_CHILD(fork_in_between());
}

/* Keep nothing on the stack: a sanitizer expects this function to return. */
static void *enter_while_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	driver_queue_enter(&queue);
	pthread_testcancel();
	return arg;
}

static void reg_and_dereg(void)
{
	static char page[4096] __attribute__((aligned(4096)));
	struct driver_mem_limit limit;
	uint32_t access = DOCA_ACCESS_LOCAL_READ, mem_id = 0;

	EXPECT_EQ(driver_mem_reg(page, sizeof(page), &access, &mem_id, &limit), 0);
	EXPECT_EQ(driver_mem_dereg(mem_id), 0);
}

/* Submit an entry that ends at once, and shall wake the program. */
static void submit_for_a_wait(void)
{
	ring_get_sqe(&queue.ring)->opcode = DOCA_OP_MEMCPY;
	ring_submit(&queue.ring);
	EXPECT(!ring_arm(&queue.ring));
}

static void cancelled_in_a_call(void)
{
	const struct driver_queue_attr attr = { .device_id = 1, .entries = 64 };
	void *result = NULL;
	pthread_t thread;

	set_up(KERNEL_IS_ABSENT, "process");
	EXPECT_EQ(driver_get(), 0);
	EXPECT_EQ(driver_queue_create(&queue, &attr), 0);
	submit_for_a_wait();
	EXPECT(!pthread_create(&thread, NULL, enter_while_cancelled, NULL));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	EXPECT(ring_peek(&queue.ring));
	alarm(20);
	reg_and_dereg();
	driver_queue_destroy(&queue);
	driver_put();
	inproc_end(); /* with everything that it would free later */
}

TEST(a_thread_is_not_cancelled_in_a_call)
{
	IN_CHILD(cancelled_in_a_call());
}

static void workers(const char *word, int cpus, int err, const char *words)
{
	cpu_set_t set;
	uint32_t id;

	set_up(KERNEL_IS_ABSENT, "process");
	if (word)
		setenv("DOCA_WORKERS", word, 1);
	else
		unsetenv("DOCA_WORKERS");
	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	if (cpus == 1)
		EXPECT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
	EXPECT_EQ(driver_get(), 0);
	EXPECT(strstr(logged(), words));
	EXPECT_EQ(driver_worker_create(0, &id), err);
	if (!err)
		EXPECT_EQ(driver_worker_destroy(id), 0);
	driver_put();
	/* The driver is opened again, and nothing is told again. */
	EXPECT_EQ(driver_get(), 0);
	EXPECT(!strstr(logged(), "DOCA_WORKERS"));
	driver_put();
}

TEST(a_worker_executes_if_it_is_asked_for)
{
	IN_CHILD(workers(NULL, 0, -EOPNOTSUPP, ""));
	IN_CHILD(workers("", 0, -EOPNOTSUPP, ""));
	IN_CHILD(workers("auto", 0, -EOPNOTSUPP, ""));
	IN_CHILD(workers("0", 0, -EOPNOTSUPP, ""));
	IN_CHILD(workers("two", 0, -EOPNOTSUPP, "none of auto, 0 and 1"));
	IN_CHILD(workers("1", 1, -EOPNOTSUPP, "one CPU only"));
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		IN_CHILD(workers("1", 0, 0, ""));
}
