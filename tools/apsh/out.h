/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Rows, as a table, as one JSON object a line, or as CSV. Strings that the target controls
 * are escaped: bytes that are not printable ASCII become \xNN.
 */
#ifndef APSH_OUT_H
#define APSH_OUT_H

#include <stdbool.h>
#include <stdint.h>

enum out_kind {
	OUT_STRING,
	OUT_NUMBER,
	OUT_ADDRESS,
	OUT_BOOL,
	OUT_FD, /* UINT32_MAX: none */
	OUT_STATE, /* a task's bits; in a table, their letter */
	OUT_STRINGS,
	OUT_BYTES,
	OUT_NUMBERS,
	OUT_NOTHING,
};

struct value {
	enum out_kind kind;
	const char *string;
	uint64_t number;
	union { /* number of them in number */
		char **strings;
		const unsigned char *bytes;
		const uint32_t *numbers;
	};
};

struct column {
	const char *name; /* the attribute's name, in lower case */
	const char *head; /* head in the table; NULL: there only if it is named */
	int width; /* negative: to the left; 0: the last one */
};

enum out_form { OUT_TABLE, OUT_JSON, OUT_CSV };

extern enum out_form out_form;

/* True for all looks but the first one: CSV has its head already. */
extern bool out_again;

void out_head(const struct column *columns, int nr);
void out_row(const struct column *columns, const struct value *values, int nr);
/* After the rows of JSON, tell how many pages are missing. */
void out_missing(uint64_t absent, uint64_t unjudged);

static inline struct value text(const char *string)
{
	return (struct value){ .kind = OUT_STRING, .string = string };
}

static inline struct value number(uint64_t n)
{
	return (struct value){ .kind = OUT_NUMBER, .number = n };
}

static inline struct value address(uint64_t n)
{
	return (struct value){ .kind = OUT_ADDRESS, .number = n };
}

static inline struct value truth(bool is)
{
	return (struct value){ .kind = OUT_BOOL, .number = is };
}

static inline struct value texts(char **strings, uint32_t nr)
{
	return (struct value){ .kind = OUT_STRINGS,
			       .strings = strings,
			       .number = nr };
}

static inline struct value bytes(const unsigned char *list, uint32_t nr)
{
	return (struct value){ .kind = OUT_BYTES, .bytes = list, .number = nr };
}

static inline struct value numbers(const uint32_t *list, uint32_t nr)
{
	return (struct value){ .kind = OUT_NUMBERS,
			       .numbers = list,
			       .number = nr };
}

static inline struct value task_state(uint64_t bits)
{
	return (struct value){ .kind = OUT_STATE, .number = bits };
}

/* A number that the target does not have. */
static inline struct value nothing(void)
{
	return (struct value){ .kind = OUT_NOTHING };
}

static inline struct value fd_number(uint32_t fd)
{
	return (struct value){ .kind = OUT_FD, .number = fd };
}

#endif /* APSH_OUT_H */
