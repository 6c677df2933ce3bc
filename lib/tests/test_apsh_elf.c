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

/* Contents of the parts below: all of the memory, and something else instead. */
enum { MEMORY = HEADERS, JUNK = HEADERS + IMAGE_SIZE };

struct part {
	u64 va, pa, len;
	u64 from; /* MEMORY or JUNK; 0: there are no more parts */
};

static void write_parts(const struct part *parts)
{
	Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
			 .e_type = ET_CORE,
			 .e_machine = EM_X86_64,
			 .e_phoff = sizeof(e),
			 .e_phentsize = sizeof(Elf64_Phdr) };
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	static const u8 junk[MIB] = { [0 ... MIB - 1] = 0xa5 };

	for (; parts[e.e_phnum].from; e.e_phnum++) {
		const struct part *part = &parts[e.e_phnum];
		const Elf64_Phdr p = { .p_type = PT_LOAD,
				       .p_vaddr = part->va,
				       .p_paddr = part->pa,
				       .p_offset = part->from + part->pa,
				       .p_filesz = part->len };

		put(fd, &p, sizeof(p), sizeof(e) + e.e_phnum * sizeof(p));
	}
	put(fd, &e, sizeof(e), 0);
	put(fd, image.mem, IMAGE_SIZE, MEMORY);
	for (u64 at = 0; at < IMAGE_SIZE; at += MIB)
		put(fd, junk, MIB, JUNK + at);
	close(fd);
}

static void set_up_parts(const struct part *parts, struct doca_apsh_system **s)
{
	set_up_image(4);
	new_task(1, 1, "init");
	write_parts(parts);
	*s = new_system();
	the_target.format = TARGET_ELF;
	logged();
}

#define DIRECT 0xffff888000000000ULL
#define KERNEL 0xffffffff81000000ULL

/* /proc/vmcore has the kernel's image twice; QEMU has what is mapped, as often as it is. */
TEST(memory_that_is_in_a_core_twice_is_read_once)
{
	static const struct {
		struct part parts[5];
		u32 nr; /* number of segments that they are */
	} rows[] = {
		/* where there is other memory, that of the kernel's own map is not used */
		{ { { KERNEL, TEXT_PA, TEXT_SIZE, JUNK }, { DIRECT, 0, IMAGE_SIZE, MEMORY } }, 1 },
		{ { { KERNEL, 0, IMAGE_SIZE, JUNK }, { DIRECT, 0, IMAGE_SIZE, MEMORY } }, 1 },
		/* it fills a gap, or two */
		{ { { DIRECT, 0, TEXT_PA, MEMORY },
		    { KERNEL, TEXT_PA - PAGE, TEXT_SIZE + 2 * PAGE, MEMORY },
		    { DIRECT, TEXT_PA + TEXT_SIZE, IMAGE_SIZE - TEXT_PA - TEXT_SIZE, MEMORY } },
		  3 },
		{ { { DIRECT, 6 * MIB, 4 * MIB, MEMORY },
		    { KERNEL, 0, IMAGE_SIZE, MEMORY },
		    { KERNEL, MIB, IMAGE_SIZE - MIB, MEMORY },
		    { DIRECT, 0, 4 * MIB, MEMORY } },
		  4 },
		/* mapped at several places, the same bytes of the file */
		{ { { 0x400000, MIB, 9 * MIB, MEMORY },
		    { 0x7f0000000000, 0, 4 * MIB, MEMORY },
		    { DIRECT, 2 * MIB, IMAGE_SIZE - 2 * MIB, MEMORY } },
		  1 },
		/* without a physical address, as memory mapped by pages */
		{ { { DIRECT, 0, IMAGE_SIZE, MEMORY }, { 0, UINT64_MAX, MIB, MEMORY } }, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct doca_apsh_system *s;

		set_up_parts(rows[i].parts, &s);
		OK(doca_apsh_system_start(s));
		EXPECT_EQ(s->source.nr_segs, rows[i].nr);
		for (u32 k = 1; k < s->source.nr_segs; k++)
			EXPECT_EQ(s->source.segs[k].pa,
				  s->source.segs[k - 1].pa + s->source.segs[k - 1].len);
		EXPECT_EQ(process_of(s, 1)->uid, 10);
		doca_apsh_processes_free(processes);
		doca_apsh_system_destroy(s);
		tear_down_image();
	}
}

TEST(an_address_with_two_contents_is_refused)
{
	static const struct part rows[][4] = {
		{ { DIRECT, 0, IMAGE_SIZE, MEMORY }, { DIRECT, MIB, MIB, JUNK } },
		/* both at the kernel's map, with nothing else there, or a segment that wins */
		{ { KERNEL, 0, IMAGE_SIZE, MEMORY }, { KERNEL, MIB, MIB, JUNK } },
		{ { KERNEL, MIB, MIB, JUNK },
		  { DIRECT, 0, IMAGE_SIZE, MEMORY },
		  { KERNEL, 0, IMAGE_SIZE, MEMORY } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct doca_apsh_system *s;

		set_up_parts(rows[i], &s);
		EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
		EXPECT_LOGGED("two parts of it are memory at 0x100000");
		doca_apsh_system_destroy(s);
		tear_down_image();
	}
}

TEST(a_core_that_was_cut_off_shows_what_it_has)
{
	static const struct part parts[] = { { DIRECT, 0, IMAGE_SIZE, MEMORY }, {} };
	struct doca_apsh_system *s;
	struct view_stats stats;

	set_up_image(4);
	new_task(1, 1, "init");
	image.next = 12 * MIB;
	new_task(2, 2, "far");
	write_parts(parts);
	if (truncate(image.ram, MEMORY + 12 * MIB))
		abort();
	s = new_system();
	logged();
	OK(doca_apsh_system_start(s));
	EXPECT(strstr(logged(), "it was cut off: 4194304 bytes"));
	EXPECT(!process_of(s, 1)->hidden);
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent > 0);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	/* without the kernel it cannot be told what runs */
	if (truncate(image.ram, MEMORY + MIB))
		abort();
	s = new_system();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT(strstr(logged(), "are not in the image"));
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent >= 15 * MIB / PAGE);
	doca_apsh_system_destroy(s);
	/* without any memory neither */
	if (truncate(image.ram, MEMORY))
		abort();
	s = new_system();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT(strstr(logged(), "are not in the image"));
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent >= 16 * MIB / PAGE);
	doca_apsh_system_destroy(s);
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
