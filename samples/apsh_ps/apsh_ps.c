// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The processes of a target. Read samples/common/target.c, too. */
#include <stdio.h>

#include "../common/target.h"

#define GET(attr) doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_##attr)

int main(int argc, char **argv)
{
	struct doca_apsh_process **list;
	struct target target;
	int nr;

	target_start(&target, "apsh_ps", argc, argv, NULL);
	check(doca_apsh_processes_get(target.system, &list, &nr), "processes");
	for (int i = 0; i < nr; i++)
		printf("%7u %7u %6u %s\n", GET(PID), GET(PPID), GET(LINUX_UID),
		       GET(COMM));
	printf("%d processes\n", nr);
	doca_apsh_processes_free(list);
	target_end(&target);
	return 0;
}
