// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include <doca_version.h>

#include "isf.h"

#define FORMAT "6.2.0"
#define PRODUCER "doca_apsh_map"

/* Two files of the same kernel differ in the time alone. */
static struct json_object *producer(void)
{
	struct json_object *json = isf_object();
	time_t now = time(NULL);
	char date[32];

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	isf_add(json, "name", isf_text(PRODUCER));
	isf_add(json, "version", isf_text(DOCA_VERSION_STRING));
	isf_add(json, "datetime", isf_text(date));
	return json;
}

/* The format has no word for BTF. */
static struct json_object *origin(const struct kernel *kernel)
{
	struct json_object *json = isf_object(), *types, *item = isf_object();
	char digits[SHA256_DIGITS + 1];

	sha256(kernel->btf.data, kernel->btf.size, digits);
	types = isf_array();
	isf_add(item, "kind", isf_text("dwarf"));
	isf_add(item, "name", isf_text("BTF"));
	isf_add(item, "hash_type", isf_text("sha256"));
	isf_add(item, "hash_value", isf_text(digits));
	json_object_array_add(types, item);
	isf_add(json, "types", types);
	return json;
}

static struct json_object *metadata(const struct kernel *kernel)
{
	struct json_object *json = isf_object();

	isf_add(json, "format", isf_text(FORMAT));
	isf_add(json, "producer", producer());
	isf_add(json, "linux", origin(kernel));
	return json;
}

static struct json_object *pointer(void)
{
	struct json_object *type = isf_object();

	isf_add(type, "kind", isf_text("pointer"));
	isf_add(type, "subtype", isf_named("base", "void"));
	return type;
}

static struct json_object *array(uint64_t count, struct json_object *of)
{
	struct json_object *type = isf_object();

	isf_add(type, "kind", isf_text("array"));
	isf_add(type, "count", isf_number(count));
	isf_add(type, "subtype", of);
	return type;
}

/* Return the bytes up to the next symbol; 0 behind the last one. */
static uint64_t room_of(const struct kernel *kernel, uint64_t address)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < kernel->symbols.nr; i++) {
		uint64_t other = kernel->symbols.list[i].address;

		if (other > address && other < next)
			next = other;
	}
	return next == UINT64_MAX ? 0 : next - address;
}

static struct json_object *type_of(const struct wanted_symbol *wanted,
				   const struct kernel *kernel,
				   const struct symbol *symbol)
{
	if (!wanted || !wanted->type)
		return isf_named("base", "void");
	if (!strcmp(wanted->type, "long"))
		return isf_named("base", "long unsigned int");
	if (!strcmp(wanted->type, "pointer"))
		return pointer();
	if (!strcmp(wanted->type, "table"))
		return array(room_of(kernel, symbol->address) / 8, pointer());
	if (!strcmp(wanted->type, "text"))
		return array(strlen(kernel->banner) + 1,
			     isf_named("base", "char"));
	return isf_named("struct", wanted->type);
}

/* Encode the bytes, with the 0 at the end. */
static struct json_object *banner(const struct kernel *kernel)
{
	int len = strlen(kernel->banner) + 1;
	char *text = need(4 * (len / 3 + 1) + 1);
	struct json_object *json;

	EVP_EncodeBlock((unsigned char *)text,
			(const unsigned char *)kernel->banner, len);
	json = isf_text(text);
	free(text);
	return json;
}

static struct json_object *symbol(const struct kernel *kernel,
				  const struct symbol *symbol,
				  const struct wanted_symbol *wanted)
{
	struct json_object *json = isf_object();

	isf_add(json, "address", isf_number(symbol->address));
	isf_add(json, "type", type_of(wanted, kernel, symbol));
	if (!strcmp(symbol->name, "linux_banner"))
		isf_add(json, "constant_data", banner(kernel));
	return json;
}

static void add_wanted(struct json_object *symbols, const struct kernel *kernel)
{
	const struct machine *machine = machine_of(&kernel->symbols);
	const struct wanted_symbol *w;
	const struct symbol *found;

	for (w = wanted_symbols; w->name; w++) {
		found = symbols_find(&kernel->symbols, w->name);
		if (found)
			isf_add(symbols, w->name, symbol(kernel, found, w));
		else if (w->needed && (!w->of || w->of == machine))
			fail("the kernel has no symbol %s: it needs "
			     "CONFIG_KALLSYMS_ALL",
			     w->name);
	}
}

static bool is_wanted_function(const char *name)
{
	const char *const *w;

	for (w = wanted_functions; *w; w++)
		if (!strncmp(name, *w, strlen(*w)) && !strchr(name, '.'))
			return true;
	return false;
}

/* Take the first of several symbols with one name, as for wanted symbols. */
static void add_more(struct json_object *symbols, const struct kernel *kernel,
		     bool full)
{
	const struct symbol *list = kernel->symbols.list;

	for (size_t i = 0; i < kernel->symbols.nr; i++)
		if ((full || is_wanted_function(list[i].name)) &&
		    !json_object_object_get_ex(symbols, list[i].name, NULL))
			isf_add(symbols, list[i].name,
				symbol(kernel, &list[i], NULL));
}

struct json_object *isf_make(const struct kernel *kernel, bool full)
{
	struct json_object *isf = isf_object(), *symbols = isf_object();
	struct isf_types types = { isf_object(), isf_object(), isf_object() };

	add_wanted(symbols, kernel);
	add_more(symbols, kernel, full);
	isf_add_types(&types, &kernel->btf, full);
	isf_add(isf, "metadata", metadata(kernel));
	isf_add(isf, "base_types", types.base);
	isf_add(isf, "user_types", types.user);
	isf_add(isf, "enums", types.enums);
	isf_add(isf, "symbols", symbols);
	return isf;
}
