// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "env.h"
#include "output.h"

#define PARAMETERS "/sys/module/doca/parameters/"

static void print_kernel(void)
{
	struct utsname uts;
	char text[2 * sizeof(uts.release) + 2];

	uname(&uts);
	snprintf(text, sizeof(text), "%s %s", uts.release, uts.machine);
	output_env("kernel", text);
}

/* The value of the first such line, or NULL. */
static const char *cpu_model(char *line, int size)
{
	const char *model = NULL;
	FILE *f = fopen("/proc/cpuinfo", "r");

	if (!f)
		return NULL;
	while (!model && fgets(line, size, f))
		if (!strncmp(line, "model name", 10))
			model = strchr(line, ':');
	fclose(f);
	line[strcspn(line, "\n")] = '\0';
	return model ? model + 2 : NULL;
}

static void print_cpus(void)
{
	char line[160];
	const char *model = cpu_model(line, sizeof(line));
	char text[256];

	snprintf(text, sizeof(text), "%ld, %s", sysconf(_SC_NPROCESSORS_ONLN),
		 model ? model : "of unknown model");
	output_env("CPUs", text);
}

#ifdef __x86_64__
#define CPUID_HYPERVISOR (1U << 31) /* leaf 1, ecx */

static const char *hypervisor(char signature[13])
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) ||
	    !(ecx & CPUID_HYPERVISOR))
		return "none";
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
	signature[12] = '\0';
	if (!strcmp(signature, "TCGTCGTCGTCG"))
		return "TCG: every instruction is emulated";
	if (!strcmp(signature, "KVMKVMKVM"))
		return "KVM";
	return signature;
}
#else
static const char *hypervisor(char signature[13])
{
	(void)signature;
	return "unknown";
}
#endif

/* One word for each, such as workers=Y. */
static void print_parameters(void)
{
	char text[512] = "";
	char value[64];
	size_t used = 0;
	glob_t found;
	size_t i;
	FILE *f;

	if (glob(PARAMETERS "*", 0, NULL, &found)) {
		output_env("module parameters", "unknown");
		return;
	}
	for (i = 0; i < found.gl_pathc && used < sizeof(text); i++) {
		const char *name = found.gl_pathv[i] + strlen(PARAMETERS);

		f = fopen(found.gl_pathv[i], "r");
		if (!f)
			continue;
		if (fscanf(f, "%63s", value) == 1)
			used += snprintf(text + used, sizeof(text) - used,
					 "%s%s=%s", used ? " " : "", name,
					 value);
		fclose(f);
	}
	globfree(&found);
	output_env("module parameters", text);
}

void env_print(void)
{
	char signature[13];

	print_kernel();
	print_cpus();
	output_env("virtualization", hypervisor(signature));
	print_parameters();
}
