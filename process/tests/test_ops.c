// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Rows of operations: what others know of them, and what they have in a queue. */
#include "flights_bed.h"
#include "selftests/fuzz/sides.h"

/* A column of a row, up to the next one; the one above it for "likewise". */
static void cell(const char *line, int begin, int end, char *text)
{
	int len = strlen(line);

	if (len < begin || !strncmp(line + begin, "likewise", 8))
		return;
	snprintf(text, 80, "%.*s", end - begin, line + begin);
}

static void compare_row(const char *line, char cells[3][80])
{
	const struct doca_op_type *type;
	unsigned int opcode;
	char name[32];
	u8 nr_op;

	cell(line, 16, 36, cells[0]);
	cell(line, 36, 56, cells[1]);
	cell(line, 56, 130, cells[2]);
	if (sscanf(line, "%u %31[A-Z0-9_]", &opcode, name) != 2 || opcode >= DOCA_OP_NR)
		return;
	type = doca_op_types[opcode];
	if (!type)
		return;
	printf("# %s\n", type->name);
	EXPECT(!strcasecmp(name, type->name) && strlen(name) < DOCA_OP_NAME_SIZE);
	EXPECT_EQ(!strncmp(cells[0], "none", 4), !type->max_src);
	EXPECT_EQ(!strncmp(cells[1], "none", 4), !type->max_dst);
	EXPECT_EQ(!!strstr(cells[0], "list"), !!(type->flags & DOCA_SQE_SRC_LIST));
	nr_op = strstr(cells[2], "op[1]") ? 2 : strstr(cells[2], "op[0]") ? 1 : 0;
	EXPECT_EQ(nr_op, type->nr_op);
	EXPECT_EQ(!!strstr(cells[2], "``aux``"), !!type->aux);
}

TEST(the_manual_has_the_rows)
{
	char path[] = __FILE__, line[256], cells[3][80] = {};
	FILE *manual;
	u32 nr = 0;

	*strstr(path, "process/tests") = 0;
	ASSERT(!chdir(path));
	manual = fopen("Documentation/uapi.rst", "r");
	ASSERT(manual);
	while (fgets(line, sizeof(line), manual)) {
		if (atoi(line) == nr && isupper(line[2]) && doca_op_types[nr]) {
			compare_row(line, cells);
			nr++;
		}
	}
	fclose(manual);
	EXPECT_EQ(nr, DOCA_OP_SYNC_WAIT_NE + 1);
}

/* What it makes up is mostly well-formed. */
TEST(the_fuzzer_knows_the_rows)
{
	const struct doca_op_type *type;
	u32 i;

	for (i = 0; i <= DOCA_OP_SYNC_WAIT_NE; i++) {
		type = doca_op_types[i];
		EXPECT_EQ(op_reads(i), !!type->max_src);
		EXPECT_EQ(op_writes(i), !!type->max_dst);
		EXPECT_EQ(op_words(i), type->nr_op);
	}
}

/* Sets one field of an entry: whether the row has it. */
static bool set_field(struct doca_sqe *sqe, u32 field)
{
	const struct doca_op_type *type = doca_op_types[sqe->opcode];
	struct doca_seg *seg = field < 3 ? &sqe->src : &sqe->dst;

	switch (field) {
	case 0:
	case 3:
		seg->key = 1;
		break;
	case 1:
	case 4:
		seg->length = 1;
		break;
	case 2:
	case 5:
		seg->address = 1;
		break;
	case 6:
	case 7:
		sqe->op[field - 6] = 1;
		return field - 6 < type->nr_op;
	case 8:
		sqe->aux = 1;
		return type->aux;
	default:
		sqe->flags = 1 << field;
		return type->flags & sqe->flags;
	}
	return field < 3 ? type->max_src : type->max_dst;
}

TEST(what_a_row_does_not_name_must_be_zero)
{
	struct program p;
	u32 opcode, field;

	slow_open(&p, 1);
	for (opcode = 0; opcode <= DOCA_OP_SYNC_WAIT_NE; opcode++)
		for (field = 0; field < 16; field++) {
			struct doca_sqe sqe = { .opcode = opcode };
			bool named = set_field(&sqe, field);

			/* A failure flushes the queue. */
			open_queue(&p, slow_queue(1));
			EXPECT_EQ(run(&p, sqe).status == DOCA_STATUS_BAD_ENTRY, !named);
		}
	slow_close(&p);
}

TEST(operations_share_one_workspace)
{
	static const struct doca_op_type small = { .workspace = 100 };
	static const struct doca_op_type large = { .workspace = 300, .space = 8, .session = 16 };
	static const struct doca_op_type *const types[DOCA_OP_NR] = { &small, &large };
	const struct doca_op_args args = { .nr_sessions = 2 };
	struct doca_pool *pool;
	struct program p;

	slow_open(&p, 1);
	pool = doca_pool_create(p.file, types, 3, 4, &args, &p.queue->waits.watcher);
	ASSERT(!IS_ERR(pool));
	EXPECT_EQ(pool->bytes, sizeof(*pool) + 300 + 8 + 2 * 16);
	EXPECT_EQ(pool->nr_slots, 0); /* none of them is ever in flight */
	memset(pool->workspace, 1, 300);
	EXPECT(!pool->spaces[0]);
	EXPECT_EQ(((u64 *)pool->spaces[1])[4], 0);
	doca_pool_close(pool, p.file);
	doca_pool_put(pool);
	slow_close(&p);
}

/* A queue executes an operation exactly if the device is said to. */
TEST(what_is_supported_is_executed)
{
	struct doca_device_query query;
	struct program p;
	u32 opcode, nr = 0;
	int fd, rc;

	slow_open(&p, 1);
	for (opcode = 0; opcode < DOCA_OP_NR; opcode++) {
		struct doca_queue_create create = { .opcodes = BIT_ULL(opcode) };

		query = (struct doca_device_query){
			.size = sizeof(query),
			.device_id = p.device,
			.opcode = opcode,
		};
		rc = doca_call(p.fd, DOCA_DEVICE_QUERY, &query);
		EXPECT_EQ(make_queue(&p, create, &fd), rc ? -EOPNOTSUPP : 0);
		if (rc) {
			EXPECT_EQ(rc, -ENOENT);
			continue;
		}
		close(fd);
		nr++;
		EXPECT_EQ(!!(query.out_flags & DOCA_OP_ASYNC), query.out_max_ops > 1);
		EXPECT_EQ(query.out_max_segments > 1, opcode == DOCA_OP_MEMCPY);
		EXPECT(!strcmp(query.out_name, "cpu"));
	}
	EXPECT_EQ(nr, DOCA_OP_SYNC_WAIT_NE + 2); /* with SLOW */
	query.opcode = U32_MAX;
	EXPECT_EQ(doca_call(p.fd, DOCA_DEVICE_QUERY, &query), -ENOENT);
	query.device_id = 4711;
	EXPECT_EQ(doca_call(p.fd, DOCA_DEVICE_QUERY, &query), -ENODEV);
	slow_close(&p);
}

TEST(an_object_is_destroyed_as_what_it_is)
{
	struct program p;
	u32 type, id;

	slow_open(&p, 1);
	ASSERT(!mem_reg(p.fd, mem[0], SOME, DOCA_ACCESS_LOCAL_READ, &id));
	for (type = DOCA_OBJECT_DM + 2; type--;) {
		int wanted = type == DOCA_OBJECT_MEMORY ? 0 : -ENOENT;

		if (type < DOCA_OBJECT_MEMORY || type > DOCA_OBJECT_DM)
			wanted = -EOPNOTSUPP;
		EXPECT_EQ(object_destroy(p.fd, type, id), wanted);
	}
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_MEMORY, id), -ENOENT);
	slow_close(&p);
}
