// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The guest that bench.py measures:
 *
 * crowd DIR N
 *
 * Run N processes, most of which sleep. Write DIR/iomem, as /proc has it, and DIR/ready.
 * The processes are only forked: an emulated machine would take long to start as many
 * programs.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static int nr_processes(void)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	int n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	if (dir)
		closedir(dir);
	return n;
}

static void sleeper(int i)
{
	char name[32];

	snprintf(name, sizeof(name), "sleeper-%d", i);
	prctl(PR_SET_NAME, name);
	for (;;)
		pause();
}

static FILE *open_in(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return f;
}

static void copy_iomem(const char *dir)
{
	FILE *from = fopen("/proc/iomem", "r"), *to = open_in(dir, "iomem");
	int c;

	while (from && (c = getc(from)) != EOF)
		putc(c, to);
	fclose(to);
}

int main(int argc, char **argv)
{
	int wanted = argc == 3 ? atoi(argv[2]) : 0;

	if (!wanted)
		return 2;
	for (int i = nr_processes(); i < wanted; i++) {
		pid_t pid = fork();

		if (!pid)
			sleeper(i);
		if (pid < 0) {
			perror("fork");
			return EXIT_FAILURE;
		}
	}
	copy_iomem(argv[1]);
	sleep(3); /* until all of them sleep */
	fclose(open_in(argv[1], "ready"));
	pause();
}
