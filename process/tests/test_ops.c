// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Rows of operations: descriptions of them elsewhere, and their memory in a queue. */
#include "flights_bed.h"
#include "selftests/fuzz/sides.h"

/* A row of the table of operations; its cells may go on in further lines. */
struct row {
	unsigned int opcode;
	char name[32];
	char cells[3][256];
};

/* Add the part of a line that is in a column. */
static void add_cell(char *cell, const char *line, size_t begin, size_t end)
{
	size_t has = strlen(cell);

	if (strlen(line) > begin)
		snprintf(cell + has, sizeof(((struct row *)0)->cells[0]) - has, "%.*s",
			 (int)(end - begin), line + begin);
}

/* Begin a cell; "likewise" keeps the cell above. */
static void begin_cell(char *cell, const char *line, size_t begin, size_t end)
{
	if (strlen(line) > begin && !strncmp(line + begin, "likewise", 8))
		return;
	*cell = 0;
	add_cell(cell, line, begin, end);
}

static bool begins_row(struct row *row, const char *line)
{
	int at;

	return sscanf(line, "%u %n%31[A-Z0-9_]", &row->opcode, &at, row->name) == 2 && at <= 3;
}

static void take_line(struct row *row, const char *line, bool first)
{
	static const size_t columns[] = { 16, 37, 57, 130 };
	int i;

	for (i = 0; i < 3; i++)
		(first ? begin_cell : add_cell)(row->cells[i], line, columns[i], columns[i + 1]);
}

/* Count the rows of operations that have a number in the uapi. */
static u32 nr_rows(void)
{
	u32 i, nr = 0;

	for (i = 0; i < DOCA_OP_LAST; i++)
		nr += !!doca_op_types[i];
	return nr;
}

/* Return true if the row is that of an operation that is executed. */
static bool compare_row(const struct row *row)
{
	const struct doca_op_type *type;
	u8 nr_op;

	type = row->opcode < DOCA_OP_LAST ? doca_op_types[row->opcode] : NULL;
	if (!type)
		return false;
	printf("# %s\n", type->name);
	EXPECT(!strcasecmp(row->name, type->name) && strlen(row->name) < DOCA_OP_NAME_SIZE);
	EXPECT_EQ(!strncmp(row->cells[0], "none", 4), !type->max_src);
	EXPECT_EQ(!strncmp(row->cells[1], "none", 4), !type->max_dst);
	EXPECT_EQ(!!strstr(row->cells[0], "list"), !!(type->flags & DOCA_SQE_SRC_LIST));
	nr_op = strstr(row->cells[2], "op[1]") ? 2 : strstr(row->cells[2], "op[0]") ? 1 : 0;
	EXPECT_EQ(nr_op, type->nr_op);
	EXPECT_EQ(!!strstr(row->cells[2], "``aux``"), !!type->aux);
	return true;
}

TEST(the_manual_has_the_rows)
{
	char path[] = __FILE__, line[256];
	struct row row = {};
	bool in_row = false;
	FILE *manual;
	u32 nr = 0;

	*strstr(path, "process/tests") = 0;
	ASSERT(!chdir(path));
	manual = fopen("Documentation/uapi.rst", "r");
	ASSERT(manual);
	while (fgets(line, sizeof(line), manual)) {
		if (in_row && line[0] == ' ') {
			take_line(&row, line, false);
			continue;
		}
		if (in_row)
			nr += compare_row(&row);
		in_row = begins_row(&row, line);
		if (in_row)
			take_line(&row, line, true);
	}
	fclose(manual);
	EXPECT_EQ(nr, nr_rows());
}

/* The entries that it invents are mostly well-formed. */
TEST(the_fuzzer_knows_the_rows)
{
	const struct doca_op_type *type;
	u32 i;

	EXPECT_EQ(NR_OPS, nr_rows());
	for (i = 0; i < NR_OPS; i++) {
		type = doca_op_types[op_sides[i].opcode];
		ASSERT(type);
		EXPECT_EQ(op_sides[i].reads, !!type->max_src);
		EXPECT_EQ(op_sides[i].writes, !!type->max_dst);
		EXPECT_EQ(op_sides[i].words, type->nr_op);
	}
}

/* Set one field of an entry. Return true if the row has it. */
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
		sqe->flags = 1 << (field - 9);
		return (type->flags | DOCA_SQE_DRAIN) & sqe->flags;
	}
	return field < 3 ? type->max_src : type->max_dst;
}

TEST(what_a_row_does_not_name_must_be_zero)
{
	struct program p;
	u32 i, field;

	slow_open(&p, 1);
	for (i = 0; i < NR_OPS; i++)
		for (field = 0; field < 9 + 16; field++) {
			struct doca_sqe sqe = { .opcode = op_sides[i].opcode };
			struct doca_queue_create create = slow_queue(1);
			bool named = set_field(&sqe, field);

			/* Those who send to its queue check it: test_consumers_hostile.c. */
			if (sqe.opcode == DOCA_OP_POST_RECV)
				continue;
			/* A list without segments is none. */
			if (named && sqe.flags & (DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST))
				continue;
			/* A failure flushes the queue. */
			create.opcodes |= BIT_ULL(sqe.opcode);
			create.inbox_entries = 2;
			open_queue(&p, create);
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
	EXPECT_EQ(pool->nr_slots, 0); /* none of the operations is ever in flight */
	memset(pool->workspace, 1, 300);
	EXPECT(!pool->spaces[0]);
	EXPECT_EQ(((u64 *)pool->spaces[1])[4], 0);
	doca_pool_close(pool, p.file);
	doca_pool_put(pool);
	slow_close(&p);
}

/* A queue executes an operation exactly if the device says so. */
TEST(what_is_supported_is_executed)
{
	struct doca_device_query query;
	struct program p;
	u32 opcode, nr = 0;
	int fd, rc;

	slow_open(&p, 1);
	for (opcode = 0; opcode < DOCA_OP_NR; opcode++) {
		struct doca_queue_create create = { .opcodes = BIT_ULL(opcode) };
		bool sends = opcode == DOCA_OP_SEND_TO;

		if (create.opcodes & DOCA_OP_ENDPOINTS)
			create.inbox_entries = 2;

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
		EXPECT_EQ(!!(query.out_flags & DOCA_OP_ASYNC), query.out_max_ops > 1 || sends);
		EXPECT_EQ(query.out_max_segments > 1,
			  !!(doca_op_types[opcode]->flags & DOCA_SQE_SRC_LIST));
		EXPECT(!strcmp(query.out_name, "cpu"));
	}
	EXPECT_EQ(nr, nr_rows() + 1); /* with SLOW */
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

		if (type < DOCA_OBJECT_GCM_KEY || type > DOCA_OBJECT_DM)
			wanted = -EOPNOTSUPP;
		EXPECT_EQ(object_destroy(p.fd, type, id), wanted);
	}
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_MEMORY, id), -ENOENT);
	slow_close(&p);
}
