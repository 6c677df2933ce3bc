// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: the format of a file, which a running machine must not choose. */
#include <elf.h>

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

/* Bytes of memory by that header, less than there are. */
#define CLAIMED (IMAGE_SIZE - PAGE)

/* The machine can write to address 0. */
static void set_up_pretender(void)
{
	const Elf64_Ehdr e = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_phoff = sizeof(e),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
	};
	const Elf64_Phdr p = { .p_type = PT_LOAD, .p_filesz = CLAIMED };

	set_up_image(4);
	new_task(1, 1, "init");
	memcpy(at_pa(0), &e, sizeof(e));
	memcpy(at_pa(sizeof(e)), &p, sizeof(p));
	write_image();
}

/* The format, the size of the memory, and the log's line about it. */
TEST(a_format_is_what_was_said_or_what_a_file_has_chosen)
{
	static struct target_region all = { .length = IMAGE_SIZE };
	static const char raw[] = "begins as elf does, and is read as raw";
	static const struct {
		struct target target;
		u64 size;
		const char *words; /* NULL: no line */
	} rows[] = {
		{ { .format = TARGET_RAW }, IMAGE_SIZE, raw },
		/* regions belong to raw files */
		{ { .nr_regions = 1, .regions = &all }, IMAGE_SIZE, raw },
		/* memory of a running machine: no choice of formats */
		{ { .memory = TARGET_MEMFD }, IMAGE_SIZE, raw },
		{ {}, CLAIMED, "begins as elf does, and is read as elf" },
		{ { .format = TARGET_ELF }, CLAIMED, NULL },
		/* a raw file that begins like another format */
		{ {}, IMAGE_SIZE, NULL },
	};

	set_up_pretender();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct doca_apsh_system *s = new_system();
		const char *text, *words = rows[i].words;

		the_target.format = rows[i].target.format;
		the_target.nr_regions = rows[i].target.nr_regions;
		the_target.regions = rows[i].target.regions;
		if (rows[i].target.memory == TARGET_MEMFD) {
			the_target.memory = TARGET_MEMFD;
			the_target.file.pid = getpid();
			the_target.file.fd = open(image.ram, O_RDONLY);
		}
		if (i == ARRAY_SIZE(rows) - 1) {
			*at_pa(0) = 0;
			write_image();
		}
		logged();
		OK(doca_apsh_system_start(s));
		text = logged();
		if (words ? !strstr(text, words) : !!strstr(text, "begins as"))
			KTAP_SAY_("row %zu: logged \"%s\"", i, text);
		EXPECT_EQ(s->source.nr_segs, 1);
		EXPECT_EQ(s->source.segs[0].len, rows[i].size);
		EXPECT_EQ(process_of(s, 1)->pid, 1);
		doca_apsh_processes_free(processes);
		doca_apsh_system_destroy(s);
		if (the_target.memory == TARGET_MEMFD)
			close(the_target.file.fd);
	}
	tear_down_image();
}

/* Write a file with these bytes at a place, and zeroes. */
static void write_beginning(u64 at, const char *bytes, size_t len)
{
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (ftruncate(fd, 1 << 20) || pwrite(fd, bytes, len, (off_t)at) != (ssize_t)len)
		abort();
	close(fd);
}

static void is_refused_as(const char *name, const char *advice)
{
	struct doca_apsh_system *s = new_system();
	const char *text;

	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_NOT_SUPPORTED);
	text = logged();
	if (!strstr(text, name) || !strstr(text, "which is not read") || !strstr(text, advice))
		KTAP_SAY_("logged \"%s\", not \"%s\" and \"%s\"", text, name, advice);
	doca_apsh_system_destroy(s);
}

#define BEGINS(at, bytes, name, advice)                        \
	do {                                                   \
		write_beginning(at, bytes, sizeof(bytes) - 1); \
		is_refused_as(name, advice);                   \
	} while (0)

TEST(a_saved_machine_is_named)
{
	set_up_image(4);
	BEGINS(0, "LibvirtQemudPart\2\0\0\0", "not complete", "virsh dump --memory-only");
	BEGINS(0, "QFI\xfb\0\0\0\3", "a disk of QEMU (qcow2)", "-loadvm");
	BEGINS(0, "\xd0\xbe\xd2\xbe", "a saved state of VMware", "vmss2core -N6");
	BEGINS(0, "\xd1\xba\xd1\xba", "a saved state of VMware", "vmss2core -N6");
	BEGINS(0, "\xd2\xbe\xd2\xbe", "a saved state of VMware", "vmss2core -N6");
	BEGINS(0, "\xd3\xbe\xd3\xbe", "a saved state of VMware", "vmss2core -N6");
	BEGINS(0, "\x7fVirtualBox SavedState V2.0\n", "of VirtualBox", "dumpvmcore");
	BEGINS(4086, "S1SUSPEND", "a swap space with a hibernated machine", "resume");
	BEGINS(4086, "S2SUSPEND", "a swap space with a hibernated machine", "resume");
	BEGINS(4086, "ULSUSPEND", "a swap space with a hibernated machine", "resume");
	BEGINS(4086, "LINHIB0001", "a swap space with a hibernated machine", "resume");
	BEGINS(4086, "SWAPSPACE2", "a swap space", "no kernel is in it");
	BEGINS(0, "PAGEDU64", "a crash dump of Windows", "Windows are not supported");
	BEGINS(0, "PAGEDUMP", "a crash dump of Windows", "Windows are not supported");
	BEGINS(0, "HIBR", "a hibernation file of Windows", "Windows are not supported");
	BEGINS(0, "hibr", "a hibernation file of Windows", "Windows are not supported");
	tear_down_image();
}

TEST(a_packed_image_is_named)
{
	set_up_image(4);
	BEGINS(0, "\x78\x01", "compressed by zlib (LiME", "zlib-flate -uncompress");
	BEGINS(0, "\x78\x9c", "compressed by zlib (LiME", "zlib-flate -uncompress");
	BEGINS(0, "\x78\xda", "compressed by zlib (LiME", "zlib-flate -uncompress");
	BEGINS(0, "\x1f\x8b\x08", "compressed by gzip", "gunzip");
	BEGINS(0, "\xfd\x37zXZ\0", "compressed by xz", "unxz");
	BEGINS(0, "\x28\xb5\x2f\xfd", "compressed by zstd", "unzstd");
	BEGINS(0, "\x04\x22\x4d\x18", "compressed by LZ4", "unlz4");
	BEGINS(0, "\x02\x21\x4c\x18", "compressed by LZ4", "unlz4");
	BEGINS(0, "\x89LZO\0\r\n\x1a\n", "compressed by lzop", "lzop -d");
	BEGINS(0, "BZh91AY&SY", "compressed by bzip2", "bunzip2");
	BEGINS(0, "PK\3\4", "an archive (zip)", "unzip");
	BEGINS(0, "7z\xbc\xaf\x27\x1c", "an archive (7z)", "7z x");
	BEGINS(257, "ustar", "an archive (tar)", "tar -x");
	BEGINS(0, "EVF\x09\x0d\x0a\xff\0", "an image of EnCase (EWF)", "ewfexport");
	tear_down_image();
}

/* Memory may begin in any way, and one may say that it is memory. */
TEST(a_raw_image_may_begin_like_another_format)
{
	struct doca_apsh_system *s;

	set_up_image(4);
	new_task(1, 1, "init");
	memcpy(at_pa(0), "\x78\x9c", 2);
	write_image();
	is_refused_as("compressed by zlib", "name the format raw");
	s = new_system();
	the_target.format = TARGET_RAW;
	logged();
	OK(doca_apsh_system_start(s));
	EXPECT_LOGGED("begins like a file compressed by zlib");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static void write_xen(Elf64_Ehdr e)
{
	static const char names[] = "\0.shstrtab\0.xen_pages";
	const Elf64_Shdr sh = { .sh_offset = 4096, .sh_size = sizeof(names) };
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (pwrite(fd, &e, sizeof(e), 0) != sizeof(e) ||
	    pwrite(fd, &sh, sizeof(sh), (off_t)(sizeof(e) + sizeof(sh))) != sizeof(sh) ||
	    pwrite(fd, names, sizeof(names), 4096) != sizeof(names))
		abort();
	close(fd);
}

TEST(a_core_of_xen_is_named)
{
	Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
			 .e_type = ET_CORE,
			 .e_machine = EM_X86_64,
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shoff = sizeof(e),
			 .e_shnum = 2,
			 .e_shstrndx = 1 };
	struct doca_apsh_system *s;

	set_up_image(4);
	write_xen(e);
	is_refused_as("a core of Xen", "layerwriter");
	/* without names it is just an empty core */
	e.e_shoff = UINT64_MAX;
	write_xen(e);
	s = new_system();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("no memory is in it");
	doca_apsh_system_destroy(s);
	tear_down_image();
}
