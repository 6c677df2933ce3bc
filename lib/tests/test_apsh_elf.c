// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: ELF cores, by their notes, and a fake core of this machine. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

enum { NOTES = 24, MIB = 1 << 20, HEADERS = 4096 };

static const struct {
	Elf64_Nhdr h;
	char name[8];
	char text[36];
} other = { { 5, 36, 0 }, "CORE", "" };

static struct {
	Elf64_Nhdr h;
	char name[12];
	char text[96];
} vmcoreinfo = { { 11, 96, 0 }, "VMCOREINFO", "" };

/* Replacements for the kernel's files; this open() is the library's. */
static struct {
	int error; /* errno of /proc/kcore; 0: it is the image */
	char levels[96]; /* path of a replacement for lockdown's file */
} kernel_;

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode = 0;

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, int);
		va_end(args);
	}
	if (!strcmp(path, "/proc/kcore")) {
		errno = kernel_.error;
		if (errno)
			return -1;
		path = image.ram;
	}
	if (!strcmp(path, "/sys/kernel/security/lockdown"))
		path = kernel_.levels;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void put(int fd, const void *what, size_t len, u64 at)
{
	if (pwrite(fd, what, len, (off_t)at) != (ssize_t)len)
		abort();
}

/* Write headers of @nr notes of 1 MiB each, the last one with VMCOREINFO, and of all memory. */
static void write_core(u16 nr)
{
	const Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
			       .e_type = ET_CORE,
			       .e_machine = EM_X86_64,
			       .e_phoff = sizeof(e),
			       .e_phentsize = sizeof(Elf64_Phdr),
			       .e_phnum = nr + 1 };
	Elf64_Phdr p = { .p_type = PT_NOTE, .p_filesz = MIB };
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	snprintf(vmcoreinfo.text, sizeof(vmcoreinfo.text),
		 "SYMBOL(swapper_pg_dir)=%llx\n"
		 "NUMBER(phys_base)=%lld\n",
		 TEXT_VA + image_at[S_init_top_pgt],
		 (long long)(TEXT_PA - (TEXT_VA - START_KERNEL_MAP)));
	put(fd, &e, sizeof(e), 0);
	for (u64 i = 0; i < nr; i++) {
		p.p_offset = HEADERS + i * MIB;
		put(fd, &p, sizeof(p), sizeof(e) + i * sizeof(p));
		put(fd, &other, sizeof(other), p.p_offset);
	}
	put(fd, &vmcoreinfo, sizeof(vmcoreinfo), p.p_offset + sizeof(other));
	p = (Elf64_Phdr){ .p_type = PT_LOAD,
			  .p_offset = HEADERS + (u64)nr * MIB,
			  .p_filesz = IMAGE_SIZE };
	put(fd, &p, sizeof(p), sizeof(e) + nr * sizeof(p));
	put(fd, image.mem, IMAGE_SIZE, p.p_offset);
	close(fd);
}

static const char *found_by(u16 nr)
{
	static char found[64];
	struct doca_apsh_system *s;

	set_up_image(4);
	new_task(1, 1, "init");
	write_core(nr);
	s = new_system();
	the_target.format = TARGET_ELF;
	logged();
	OK(doca_apsh_system_start(s));
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	doca_apsh_processes_free(processes);
	snprintf(found, sizeof(found), "%s", s->kernel.found);
	doca_apsh_system_destroy(s);
	return found;
}

TEST(the_note_of_vmcoreinfo_leads_to_the_kernel)
{
	EXPECT_STR(found_by(2), "VMCOREINFO of the file");
	tear_down_image();
	EXPECT_STR(found_by(1), "VMCOREINFO of the file");
	tear_down_image();
}

/* Neither the machine nor the writer of a core may decide how long that takes. */
TEST(notes_have_a_limit_together)
{
	EXPECT_STR(found_by(NOTES), "its banner");
	EXPECT_LOGGED("more than 16 MiB of notes");
	tear_down_image();
}

static void set_up_local(struct doca_apsh_system **s)
{
	set_up_image(4);
	new_task(1, 1, "init");
	write_core(1);
	snprintf(kernel_.levels, sizeof(kernel_.levels), "%s/lockdown", image.dir);
	*s = new_system();
	the_target.memory = TARGET_FUNCTION;
	strcpy(the_target.function, "local");
}

static void tear_down_local(struct doca_apsh_system *s)
{
	kernel_.error = 0;
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Two names of one thing, both in users' files. */
TEST(local_and_kcore_are_this_machine)
{
	static const enum target_memory names[] = { TARGET_FUNCTION, TARGET_KCORE };

	for (int i = 0; i < 2; i++) {
		struct doca_apsh_system *s;

		set_up_local(&s);
		the_target.memory = names[i];
		OK(doca_apsh_system_start(s));
		EXPECT_EQ(process_of(s, 1)->pid, 1);
		doca_apsh_processes_free(processes);
		tear_down_local(s);
	}
}

static const char *cannot(struct doca_apsh_system *s, int error)
{
	kernel_.error = error;
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	return logged();
}

#define EXPECT_ADVICE(error, words)                                           \
	do {                                                                  \
		const char *text_ = cannot(s, error);                         \
                                                                              \
		EXPECT(strstr(text_, "/proc/kcore: "));                       \
		if (!strstr(text_, words))                                    \
			KTAP_SAY_("logged \"%s\", not \"%s\"", text_, words); \
	} while (0)

TEST(the_log_says_why_this_machine_cannot_be_read)
{
	struct doca_apsh_system *s;

	set_up_local(&s);
	EXPECT_ADVICE(ENOENT, "CONFIG_PROC_KCORE");
	EXPECT_ADVICE(EACCES, "it needs CAP_SYS_RAWIO, and permission to read");
	EXPECT_ADVICE(EPERM, "it needs CAP_SYS_RAWIO");
	write_text(kernel_.levels, "[none] integrity confidentiality\n");
	EXPECT_ADVICE(EPERM, "it needs CAP_SYS_RAWIO");
	write_text(kernel_.levels, "none [integrity] confidentiality\n");
	EXPECT_ADVICE(EPERM, "it needs CAP_SYS_RAWIO");
	write_text(kernel_.levels, "none integrity [confidentiality]\n");
	EXPECT_ADVICE(EPERM, "locked down");
	tear_down_local(s);
}
