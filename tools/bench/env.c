// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <doca_version.h>

#include "common/usage.h"
#include "env.h"

#define PARAMETERS "/sys/module/doca/parameters/"

static void add_kernel(struct results *results)
{
	struct utsname uts;

	uname(&uts);
	results_fact(results, "kernel", "%s %s", uts.release, uts.machine);
}

/* Return the value of the first such line, or NULL. */
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

static void add_cpus(struct results *results)
{
	char line[160];
	const char *model = cpu_model(line, sizeof(line));

	results_fact(results, "CPUs", "%ld, %s", sysconf(_SC_NPROCESSORS_ONLN),
		     model ? model : "of unknown model");
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

/* Add one word for each parameter, such as workers=Y. */
static void add_parameters(struct results *results)
{
	char text[512] = "";
	char value[64];
	size_t used = 0;
	glob_t found;
	size_t i;
	FILE *f;

	if (glob(PARAMETERS "*", 0, NULL, &found)) {
		results_fact(results, "module parameters", "unknown");
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
	results_fact(results, "module parameters", "%s", text);
}

void env_facts(struct results *results)
{
	char signature[13];

	add_kernel(results);
	add_cpus(results);
	results_fact(results, "virtualization", "%s", hypervisor(signature));
	add_parameters(results);
	results_fact(results, "libraries", "Open DOCA %s", tool_version);
	results_fact(results, "interface", "DOCA %s", doca_version_runtime());
}
