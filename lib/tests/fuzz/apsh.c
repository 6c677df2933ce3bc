// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * App Shield, by libFuzzer: change words of a sound image, and make all calls; or replace
 * a file of the operator by anything. Whatever the answers are, calls must end, and access
 * only their own memory.
 */
#pragma GCC diagnostic ignored "-Wunused-function"
#define main no_main /* libFuzzer has its own main() */
#include <elf.h>
#include <endian.h>
#include <stddef.h>
#include <zlib.h>

#include "../apsh_sockets.h"
#include "../apsh_watch.h"
#include "apsh/unpack/unpack.h"
#include "apsh_time.h"
#include "core/settings/table.h"

enum file_kind { IMAGE, MAP, REGIONS, HASHES, ELF, LIME, KPGD, TARGET, KDUMP, AVML, QEVM, KINDS };

/* FUZZ_KIND names the kind to fuzz; by default the first byte chooses it. */
static const char *const kinds[KINDS] = { "image", "map",    "regions", "hashes", "elf", "lime",
					  "kpgd",  "target", "kdump",	"avml",	  "qevm" };

static struct doca_apsh_system *system_of_image;
static char path_of_hashes[96];
static u64 objects;

static void set_up_all(void)
{
	u64 dev;

	doca_apsh_system_destroy(set_up(4));
	objects = 8 << 20;
	for (u32 i = 0; i < 12; i++)
		set_fd((int)i + 8, new_socket_file(new_tcp(net_.socks + 8 * (i % 4), i + 1, i, i)));
	hash_in(net_.slots, new_sock(AF_INET6, SOCK_DGRAM, IPPROTO_UDP, 7));
	dev = new_netif("eth0", 1, 1, "123456");
	add_ipv4(dev, new_ipv4("10.0.0.1", 8, 0));
	add_ipv6(dev, "fd00::1", 64);
	write_image();
	system_of_image = new_system();
	if (doca_apsh_system_start(system_of_image))
		abort();
	system_of_image->budget.ms = 2000;
	watch_system(system_of_image);
	snprintf(path_of_hashes, sizeof(path_of_hashes), "%s/h", image.dir);
	write_text(path_of_hashes, "{\"format\":\"open-doca-hash-1\",\"files\":[]}");
}

#define CALL(get, drop, type, of)               \
	do {                                    \
		struct type **list_;            \
		int nr_;                        \
		if (get(of, &list_, &nr_) == 0) \
			drop(list_);            \
	} while (0)

/* Scan one process only: each call compiles its rules anew. */
static void scan(struct doca_apsh_process *p)
{
	static enum doca_apsh_yara_rule rule = DOCA_APSH_YARA_RULE_HELLO_WORLD;
	struct doca_apsh_yara **matches;
	int nr;

	if (!doca_apsh_yara_get(p, &rule, 1, DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP,
				&matches, &nr))
		doca_apsh_yara_free(matches);
}

static void of_process(struct doca_apsh_process *p)
{
	struct doca_apsh_process_parameters *params;
	struct doca_apsh_attestation **areas;
	int nr;

	CALL(doca_apsh_threads_get, doca_apsh_threads_free, doca_apsh_thread, p);
	CALL(doca_apsh_vads_get, doca_apsh_vads_free, doca_apsh_vad, p);
	CALL(doca_apsh_libs_get, doca_apsh_libs_free, doca_apsh_lib, p);
	CALL(doca_apsh_envars_get, doca_apsh_envars_free, doca_apsh_envar, p);
	CALL(doca_apsh_handles_get, doca_apsh_handles_free, doca_apsh_handle, p);
	CALL(doca_apsh_privileges_get, doca_apsh_privileges_free, doca_apsh_privilege, p);
	CALL(doca_apsh_proc_files_details_get, doca_apsh_proc_files_details_free,
	     doca_apsh_proc_file_details, p);
	CALL(doca_apsh_process_netscan_get, doca_apsh_netscan_free, doca_apsh_netscan, p);
	CALL(doca_priv_apsh_mounts_get, doca_priv_apsh_mounts_free, apsh_mount, p);
	if (!doca_apsh_process_parameters_get(p, &params))
		doca_apsh_process_parameters_free(params);
	if (!doca_apsh_attestation_get(p, path_of_hashes, &areas, &nr))
		doca_apsh_attestation_free(areas);
}

static void all_calls(struct doca_apsh_system *s)
{
	CALL(doca_priv_apsh_modules_scan, doca_apsh_module_free, doca_apsh_module, s);
	CALL(doca_priv_apsh_system_calls_check, doca_priv_apsh_findings_free, apsh_finding, s);
	CALL(doca_priv_apsh_interrupts_check, doca_priv_apsh_findings_free, apsh_finding, s);
	CALL(doca_priv_apsh_hooks_check, doca_priv_apsh_findings_free, apsh_finding, s);
	CALL(doca_apsh_containers_get, doca_apsh_containers_free, doca_apsh_container, s);
	CALL(doca_apsh_netscan_get, doca_apsh_netscan_free, doca_apsh_netscan, s);
	CALL(doca_apsh_interfaces_get, doca_apsh_interfaces_free, doca_apsh_interface, s);
	CALL(doca_priv_apsh_messages_get, doca_priv_apsh_messages_free, apsh_message, s);
	if (doca_apsh_processes_get(s, &processes, &nr_processes))
		return;
	for (int i = 0; i < nr_processes; i++) {
		of_process(processes[i]);
		if (PROCESS(processes[i], PID) == 10)
			scan(processes[i]);
	}
	doca_apsh_processes_free(processes);
}

/* The place and the new contents: a value, or an address of the image. */
struct change {
	u16 word;
	u8 how;
	u8 value[5];
};

static u64 value_of(const struct change *c)
{
	u64 value = 0;

	memcpy(&value, c->value, sizeof(c->value));
	switch (c->how % 4) {
	case 0:
		return value;
	case 1:
		return image.direct + value % IMAGE_SIZE;
	case 2:
		return image.direct + objects + (value & 0xffff) * 8;
	default:
		return ~value;
	}
}

static void change_image(const u8 *data, size_t size)
{
	int fd = open(image.ram, O_RDWR);
	size_t nr = size / sizeof(struct change);
	struct change list[16];

	if (nr > ARRAY_SIZE(list))
		nr = ARRAY_SIZE(list);
	memcpy(list, data, nr * sizeof(list[0]));
	for (size_t i = 0; i < nr; i++) {
		u64 value = value_of(&list[i]);

		if (pwrite(fd, &value, 8, (off_t)(objects + list[i].word * 8ULL)) != 8)
			abort();
	}
	all_calls(system_of_image);
	for (size_t i = 0; i < nr; i++)
		if (pwrite(fd, image.mem + objects + list[i].word * 8ULL, 8,
			   (off_t)(objects + list[i].word * 8ULL)) != 8)
			abort();
	close(fd);
}

static void write_bytes(const char *path, const u8 *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void read_a_file(enum file_kind kind, const char *path)
{
	struct target target = { .memory = TARGET_FILE, .file.path = (char *)path };
	struct doca_apsh_system *s = doca_priv_apsh_system_of(&target);
	struct doca_apsh_attestation **areas;
	int nr;

	doca_apsh_sys_os_symbol_map_set(s, kind == MAP ? path : image.symbols);
	doca_apsh_sys_mem_region_set(s, kind == REGIONS ? path : image.regions);
	if (kind == KPGD)
		doca_apsh_sys_kpgd_file_set(s, path);
	if (kind == MAP || kind == REGIONS || kind == KPGD)
		target.file.path = image.ram;
	if (kind != HASHES) {
		if (!doca_apsh_system_start(s))
			all_calls(s);
	} else if (!doca_apsh_attestation_get(process_of(system_of_image, 10), path, &areas, &nr)) {
		doca_apsh_attestation_free(areas);
	}
	if (kind == HASHES)
		doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
}

static void read_a_target(const char *path, const u8 *data, size_t size)
{
	struct target *target = NULL;

	if (!settings_read_target(path, (const char *)data, size, &target))
		doca_priv_target_put(target);
}

static enum file_kind kind_of(u8 byte)
{
	const char *wanted = getenv("FUZZ_KIND");

	for (int i = 0; wanted && i < KINDS; i++)
		if (!strcmp(wanted, kinds[i]))
			return (enum file_kind)i;
	return (enum file_kind)(byte % KINDS);
}

static void write_seed_as(const char *name, enum file_kind kind, const void *data, size_t size)
{
	char path[4096];
	u8 byte = kind;
	FILE *f;

	snprintf(path, sizeof(path), "%s/seed-%s", getenv("FUZZ_SEEDS"), name);
	f = fopen(path, "w");
	if (!f || fwrite(&byte, 1, 1, f) != 1 || fwrite(data, 1, size, f) != size || fclose(f))
		abort();
}

static void write_seed(enum file_kind kind, const void *data, size_t size)
{
	write_seed_as(kinds[kind], kind, data, size);
}

static void write_seed_of(enum file_kind kind, const char *path)
{
	static char text[1 << 20];
	FILE *f = fopen(path, "r");

	write_seed(kind, text, fread(text, 1, sizeof(text), f));
	fclose(f);
}

/* Write a note, and a page of memory. */
static void write_elf_seed(void)
{
	static const char info[] = "OSRELEASE=6.66.0-test\n"
				   "SYMBOL(swapper_pg_dir)=ffffffff87001000\n"
				   "NUMBER(phys_base)=-16777216\n";
	struct {
		Elf64_Ehdr e;
		Elf64_Phdr p[2];
		Elf64_Nhdr n;
		char name[12], text[128];
		u8 memory[512];
	} elf = {
		.e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
		       .e_type = ET_CORE,
		       .e_machine = EM_X86_64,
		       .e_phoff = sizeof(elf.e),
		       .e_phentsize = sizeof(Elf64_Phdr),
		       .e_phnum = 2 },
		.p = { { .p_type = PT_NOTE,
			 .p_offset = offsetof(typeof(elf), n),
			 .p_filesz = sizeof(elf.n) + sizeof(elf.name) + sizeof(elf.text) },
		       { .p_type = PT_LOAD,
			 .p_offset = offsetof(typeof(elf), memory),
			 .p_paddr = 4096,
			 .p_filesz = sizeof(elf.memory) } },
		.n = { .n_namesz = 11, .n_descsz = sizeof(elf.text) },
		.name = "VMCOREINFO",
	};

	memcpy(elf.text, info, sizeof(info));
	write_seed(ELF, &elf, sizeof(elf));
}

static u8 *put_piece(u8 *to, u64 at, const void *data, u64 size)
{
	u64 h[] = { htobe64(at), htobe64(size) };

	memcpy(to, h, sizeof(h));
	memcpy(to + sizeof(h), data, size);
	return to + sizeof(h) + size;
}

/* Write a flattened file, which is small, with a page of zeros. */
static void write_kdump_seed(void)
{
	static u8 file[8192] = "makedumpfile", page[PAGE], packed[256];
	u32 header[464 / 4] = { [2] = 6, [107] = PAGE, 1, 2, 8 };
	u64 sub[13] = { [12] = 8 }, desc[3] = { 5 * PAGE, 0, 0 };
	uLongf len = sizeof(packed);
	u8 *to = file + 4096, pages = 2;

	memcpy(header, "KDUMP   ", 8);
	compress(packed, &len, page, sizeof(page));
	desc[1] = len | 1ULL << 32;
	to = put_piece(to, 0, header, sizeof(header));
	to = put_piece(to, PAGE, sub, sizeof(sub));
	to = put_piece(to, 3 * PAGE, &pages, 1);
	to = put_piece(to, 4 * PAGE, desc, sizeof(desc));
	to = put_piece(to, 5 * PAGE, packed, len);
	memset(to, 0xff, 16);
	write_seed(KDUMP, file, (size_t)(to + 16 - file));
}

static void put_sum(u8 *chunk, int byte)
{
	static struct snappy_sum sums;
	u8 page[PAGE];
	u32 sum;

	memset(page, byte, PAGE);
	snappy_sum_init(&sums);
	sum = snappy_sum(&sums, page, PAGE);
	memcpy(chunk + 4, &sum, 4);
}

/* Write a page in a packed chunk, and one in a chunk that is not. */
static void write_avml_seed(void)
{
	static u8 file[PAGE + 1024];
	const struct {
		u32 magic, version;
		u64 start, last, reserved;
	} h = { 0x4c4d5641, 2, PAGE, 3 * PAGE - 1, 0 };
	u8 *to = file, *chunk;
	u32 len;

	to = mempcpy(to, &h, sizeof(h));
	to = mempcpy(to, "\xff\x06\0\0sNaPpY", 10);
	chunk = to;
	/* a literal, and copies of it */
	to = mempcpy(to + 8, "\x80\x20\0x", 4);
	for (int left = PAGE - 1; left > 0; left -= 64, to += 3) {
		to[0] = (u8)(((left < 64 ? left : 64) - 1) << 2 | 2);
		to[1] = 1;
	}
	len = (u32)(to - chunk - 4) << 8;
	memcpy(chunk, &len, 4);
	put_sum(chunk, 'x');
	len = (PAGE + 4) << 8 | 1;
	memcpy(to, &len, 4);
	put_sum(to, 0);
	to += 8 + PAGE;
	write_seed(AVML, file, (size_t)(to + 8 - file));
}

#define PUT(to, bytes) ((u8 *)mempcpy(to, bytes, sizeof(bytes) - 1))
#define FOOTER "\x7e\0\0\0\2"
#define START "\1\0\0\0\2\3ram\0\0\0\0\0\0\0\4"
#define BLOCK "\6pc.ram\0\0\0\0\0\0\x20\0"
#define RAM START "\0\0\0\0\0\0\x20\4" BLOCK

/* Write a page, and one that is filled, of two; behind the header of libvirt, too. */
static void write_qevm_seeds(void)
{
	static u8 file[3 * PAGE];
	u8 *state = file + 92, *to = state;

	to = PUT(to, "QEVM\0\0\0\3\7\0\0\0\12pc-q35-7.2" RAM "\0\0\0\0\0\0\0\x10" FOOTER
		     "\2\0\0\0\2\0\0\0\0\0\0\0\x08\6pc.ram");
	to = PUT(to + PAGE, "\0\0\0\0\0\0\x10\x22x\0\0\0\0\0\0\0\x10" FOOTER
			    "\3\0\0\0\2\0\0\0\0\0\0\0\x10" FOOTER);
	write_seed(QEVM, state, (size_t)(to - state));
	PUT(file, "LibvirtQemudSave\2");
	write_seed_as("libvirt", QEVM, file, (size_t)(to - file));
}

/* Where a block has its pages, of which the first has a place, and its bitmap. */
static u8 *put_places(u8 *to, const u8 *file, u64 pages_at)
{
	const u64 places[] = { htobe64((u64)(to - file) + 28), htobe64(pages_at) };

	to = PUT(to, "\0\0\0\1\0\0\0\0\0\0\x10\0");
	to = mempcpy(to, places, sizeof(places));
	*to = 1;
	return to;
}

/* Write a device's block and memory, whose pages have places; and what was cut off in front of them. */
static void write_mapped_seeds(void)
{
	static u8 file[6 * PAGE];
	u8 *to = PUT(file, "QEVM\0\0\0\3\7\0\0\0\12pc-q35-9.0\5\x1a"
			   "configuration/capabilities\0\0\0\1\0\0\0\1\12mapped-ram" START
			   "\0\0\0\0\0\0\x30\4\7pc.bios\0\0\0\0\0\0\x10\0");
	u8 *places;

	put_places(to, file, PAGE);
	to = PUT(file + 2 * PAGE, BLOCK);
	places = put_places(to, file, 3 * PAGE) - 16;
	to = PUT(file + 5 * PAGE,
		 "\0\0\0\0\0\0\0\x10" FOOTER "\3\0\0\0\2\0\0\0\0\0\0\0\x10" FOOTER);
	write_seed_as("mapped", QEVM, file, (size_t)(to - file));
	memset(places, 0xff, 7);
	places[7] = 0xf8;
	write_seed_as("mapped-cut", QEVM, file, (size_t)(places + 8 - file));
}

/* FUZZ_SEEDS=DIR: write sound files of all kinds there, and do not fuzz. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char hashes[] = "{\"format\":\"open-doca-hash-1\",\"files\":[{\"path\":\"/a\","
				     "\"first_page\":0,\"page\":4096,\"sha256\":\"0123456789abcdef"
				     "0123456789abcdef0123456789abcdef0123456789abcdef\"}]}";
	static const char target[] =
		"{\"vuid\":\"V\",\"device\":\"any\",\"memory\":{\"file\":\"/a\","
		"\"format\":\"raw\"},\"regions\":[{\"gpa\":0,\"offset\":0,"
		"\"length\":4096}],\"qmp\":\"/q\"}";
	static const struct {
		u32 magic, version;
		u64 start, last, reserved;
		u8 memory[512];
	} lime = { 0x4c694d45, 1, 4096, 4607, 0, { 0 } };
	static const struct change change = { 8, 1, { 9 } };

	(void)argc;
	(void)argv;
	if (!getenv("FUZZ_SEEDS"))
		return 0;
	set_up_all();
	write_seed(IMAGE, &change, sizeof(change));
	write_seed_of(MAP, image.symbols);
	write_seed_of(REGIONS, image.regions);
	write_seed(HASHES, hashes, strlen(hashes));
	write_seed(KPGD, "0x401000\n", 9);
	write_seed(TARGET, target, strlen(target));
	write_seed(LIME, &lime, sizeof(lime));
	write_elf_seed();
	write_kdump_seed();
	write_avml_seed();
	write_qevm_seeds();
	write_mapped_seeds();
	exit(0);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	enum file_kind kind;
	char path[96];

	if (!image.mem)
		set_up_all();
	if (!size)
		return 0;
	kind = kind_of(*data);
	snprintf(path, sizeof(path), "%s/file", image.dir);
	if (kind == IMAGE) {
		change_image(data + 1, size - 1);
	} else if (kind == TARGET) {
		read_a_target(path, data + 1, size - 1);
	} else {
		write_bytes(path, data + 1, size - 1);
		read_a_file(kind, path);
	}
	logged();
	return 0;
}
