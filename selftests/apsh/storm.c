// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The guest that storm.py looks at, as root:
 *
 * storm DIR
 *
 * Processes, programs, threads, areas, names, modules and sockets come and go until the guest
 * ends. Each process that is named p-N has the PID N, so a result with another PID has mixed
 * up two processes. Write DIR/iomem and DIR/ready; and, when DIR/stop appears, DIR/pids: a bit
 * for each PID that was ever used.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PID = 4 << 20, FORKERS = 3 };

static unsigned char *pids;

static void note(pid_t pid)
{
	if (pid > 0 && pid < MAX_PID)
		__atomic_fetch_or(&pids[pid / 8], 1 << pid % 8,
				  __ATOMIC_RELAXED);
}

/* The child records itself before it goes on: its parent may be slower than the inspector. */
static pid_t child(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	note(getpid());
	return 0;
}

static void forks(void)
{
	char name[32];
	pid_t pid;

	for (;;) {
		pid = child();
		if (!pid) {
			snprintf(name, sizeof(name), "p-%d", getpid());
			prctl(PR_SET_NAME, name);
			usleep(20000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void run(const char *const argv[])
{
	pid_t pid = child();

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], (char *const *)argv);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void execs(void)
{
	static const char *const argv[] = { "true", "with", "arguments", NULL };

	for (;;)
		run(argv);
}

static void modules(void)
{
	static const char *const load[] = { "modprobe", "dummy", NULL };
	static const char *const unload[] = { "modprobe", "-r", "dummy", NULL };

	for (;;) {
		run(load);
		run(unload);
	}
}

static void areas(void)
{
	enum { MANY = 400 };
	void *at[MANY] = { NULL };

	for (unsigned int i = 0;; i = (i * 7 + 1) % MANY) {
		if (at[i])
			munmap(at[i], 8192);
		at[i] = mmap(NULL, 8192, i % 2 ? PROT_READ : PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (i % 50 == 0)
			usleep(1);
	}
}

static void *thread(void *unused)
{
	(void)unused;
	note(gettid());
	usleep(1000);
	return NULL;
}

static void threads(void)
{
	pthread_t list[8];

	for (;;) {
		for (int i = 0; i < 8; i++)
			if (pthread_create(&list[i], NULL, thread, NULL))
				_exit(1);
		for (int i = 0; i < 8; i++)
			pthread_join(list[i], NULL);
	}
}

static void connect_once(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(to);
	int listener = socket(AF_INET, SOCK_STREAM, 0), client, pair[2];

	client = socket(AF_INET, SOCK_STREAM, 0);
	if (!bind(listener, (struct sockaddr *)&to, sizeof(to)) &&
	    !listen(listener, 1) &&
	    !getsockname(listener, (struct sockaddr *)&to, &len) &&
	    !connect(client, (struct sockaddr *)&to, len))
		close(accept(listener, NULL, NULL));
	if (!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) {
		close(pair[0]);
		close(pair[1]);
	}
	close(client);
	close(listener);
}

static void sockets(void)
{
	for (;;) {
		connect_once();
		usleep(2000);
	}
}

static void names(void)
{
	char name[32];

	for (unsigned int i = 0;; i++) {
		snprintf(name, sizeof(name), "n-%u", i);
		prctl(PR_SET_NAME, name);
		usleep(100);
	}
}

static void start(void (*role)(void))
{
	pid_t pid = child();

	if (!pid)
		role();
	if (pid < 0)
		exit(EXIT_FAILURE);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

static void copy(const char *from, const char *to)
{
	static char text[1 << 16];
	FILE *f = fopen(from, "r");

	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = '\0';
	write_file(to, text);
}

/* Write the file on request, for it is on another machine. */
static void publish(const char *dir)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/stop", dir);
	while (access(path, F_OK))
		usleep(100000);
	snprintf(path, sizeof(path), "%s/pids.new", dir);
	f = fopen(path, "w");
	if (!f || fwrite(pids, 1, MAX_PID / 8, f) != MAX_PID / 8 || fclose(f))
		exit(EXIT_FAILURE);
	if (chdir(dir) || rename("pids.new", "pids"))
		exit(EXIT_FAILURE);
	pause();
}

int main(int argc, char **argv)
{
	static void (*const roles[])(void) = { execs,	modules, areas,
					       threads, sockets, names };
	char path[4096];

	if (argc != 2)
		return 2;
	write_file("/proc/sys/kernel/pid_max", "4194304");
	pids = mmap(NULL, MAX_PID / 8, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pids == MAP_FAILED)
		return EXIT_FAILURE;
	for (int i = 0; i < FORKERS; i++)
		start(forks);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		start(roles[i]);
	snprintf(path, sizeof(path), "%s/iomem", argv[1]);
	copy("/proc/iomem", path);
	snprintf(path, sizeof(path), "%s/ready", argv[1]);
	write_file(path, "");
	setpriority(PRIO_PROCESS, 0, -20);
	publish(argv[1]);
}
