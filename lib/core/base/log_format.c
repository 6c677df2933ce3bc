// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Makes a line of the log:
 *   [18:24:34:478230][12345][DOCA][INF][SOURCE][file.c:12][function] message
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log_internal.h"

static const char *level_name(uint32_t level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_CRIT:
		return "CRT";
	case DOCA_LOG_LEVEL_ERROR:
		return "ERR";
	case DOCA_LOG_LEVEL_WARNING:
		return "WRN";
	case DOCA_LOG_LEVEL_INFO:
		return "INF";
	case DOCA_LOG_LEVEL_DEBUG:
		return "DBG";
	default:
		return "TRC";
	}
}

static size_t print_head(char *text, size_t size, const struct log_record *rec,
			 size_t *body)
{
	const char *base = strrchr(rec->file, '/');
	struct timespec now;
	struct tm tm;
	size_t len;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	*body = snprintf(text, size, "[%02d:%02d:%02d:%06ld][%d]", tm.tm_hour,
			 tm.tm_min, tm.tm_sec, now.tv_nsec / 1000, getpid());
	len = *body +
	      snprintf(text + *body, size - *body, "[DOCA][%s][%s][%s:%d][%s] ",
		       level_name(rec->level), rec->source,
		       base ? base + 1 : rec->file, rec->line, rec->func);
	return len < size ? len : size - 1;
}

/* Lengths do not count NUL; text has room for a newline and NUL behind @len. */
static void finish(struct log_line *line, char *text, size_t len)
{
	/* Programs that bring their own newline must not get an empty line. */
	if (len && text[len - 1] == '\n')
		len--;
	text[len++] = '\n';
	text[len] = '\0';
	line->text = text;
	line->len = len;
}

void log_line_make(struct log_line *line, const struct log_record *rec,
		   const char *format, va_list args)
{
	const size_t room = sizeof(line->inline_text) - 2;
	char *text = line->inline_text;
	size_t head;
	va_list again;
	char *longer;
	int len;

	va_copy(again, args);
	line->level = rec->level;
	head = print_head(text, room, rec, &line->body);
	len = vsnprintf(text + head, room - head, format, args);
	if (len < 0)
		len = 0; /* a bad conversion: show at least its place */
	if (head + len < room) {
		finish(line, text, head + len);
		goto out;
	}

	longer = malloc(head + len + 3);
	if (!longer) {
		finish(line, text, room - 1);
		goto out;
	}
	memcpy(longer, text, head);
	vsnprintf(longer + head, len + 1, format, again);
	finish(line, longer, head + len);
out:
	va_end(again);
}

/*
 * Replace control characters, in ASCII and as C1 in UTF-8. Quoted text may be
 * foreign, such as a name in a guest's memory; it must neither control the terminal
 * nor begin a line of its own.
 */
void log_line_disarm(struct log_line *line)
{
	unsigned char *text = (unsigned char *)line->text;

	for (size_t i = 0; i + 1 < line->len; i++) {
		if (text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
		else if (text[i] == 0xc2 && text[i + 1] >= 0x80 &&
			 text[i + 1] < 0xa0)
			text[i] = text[i + 1] = '?';
	}
}

void log_line_release(struct log_line *line)
{
	if (line->text != line->inline_text)
		free((char *)line->text);
}
