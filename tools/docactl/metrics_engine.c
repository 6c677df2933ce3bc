// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Metrics of the DMA engines that have been added; none of those that could be. */
#include "field.h"
#include "metrics.h"
#include "prom.h"

static const struct field name_field = { "name", NULL, DOCA_GENL_A_ENGINE_NAME,
					 FIELD_NAME };

static void name_of(const struct record *engine, char name[FIELD_TEXT_MAX])
{
	field_text(&name_field, engine, name);
}

static bool is_shown(const struct record *engine)
{
	return record_value(engine, DOCA_GENL_A_ENGINE_STATE) !=
	       DOCA_ENGINE_FREE;
}

static void print_values(const struct records *engines, int attr)
{
	char name[FIELD_TEXT_MAX];
	size_t i;

	for (i = 0; i < engines->n; i++) {
		if (!is_shown(&engines->all[i]))
			continue;
		name_of(&engines->all[i], name);
		prom_sample(record_value(&engines->all[i], attr), "engine",
			    name, NULL);
	}
}

static void print_info(const struct records *engines)
{
	static const struct field driver = { "driver", NULL,
					     DOCA_GENL_A_ENGINE_DRIVER,
					     FIELD_NAME };
	static const struct field iommu = { "iommu", NULL,
					    DOCA_GENL_A_ENGINE_IOMMU,
					    FIELD_ENGINE_IOMMU };
	char name[FIELD_TEXT_MAX], by[FIELD_TEXT_MAX], unit[FIELD_TEXT_MAX];
	size_t i;

	prom_gauge("doca_engine_info", "A DMA engine.");
	for (i = 0; i < engines->n; i++) {
		if (!is_shown(&engines->all[i]))
			continue;
		name_of(&engines->all[i], name);
		field_text(&driver, &engines->all[i], by);
		field_text(&iommu, &engines->all[i], unit);
		prom_sample(1, "engine", name, "driver", by, "iommu", unit,
			    NULL);
	}
}

static void print_states(const struct records *engines)
{
	static const char *const states[] = {
		[DOCA_ENGINE_LIVE] = "live",
		[DOCA_ENGINE_SUSPECT] = "suspect",
		[DOCA_ENGINE_DYING] = "dying",
		[DOCA_ENGINE_DEAD] = "dead",
	};
	char name[FIELD_TEXT_MAX];
	size_t i, j;

	prom_gauge("doca_engine_state",
		   "State of an engine, which has the value 1.");
	for (i = 0; i < engines->n; i++) {
		uint64_t state = record_value(&engines->all[i],
					      DOCA_GENL_A_ENGINE_STATE);

		if (!is_shown(&engines->all[i]))
			continue;
		name_of(&engines->all[i], name);
		for (j = 0; j < sizeof(states) / sizeof(states[0]); j++)
			prom_sample(state == j, "engine", name, "state",
				    states[j], NULL);
	}
}

void metrics_of_engines(const struct figures *figures)
{
	static const struct {
		const char *name, *help;
		int attr;
	} counters[] = {
		{ "doca_engine_copied_bytes_total",
		  "Bytes that an engine has copied.", DOCA_GENL_A_BYTES },
		{ "doca_engine_operations_total",
		  "Operations that an engine has completed.", DOCA_GENL_A_OPS },
		{ "doca_engine_descriptors_total",
		  "Descriptors that an engine was given.",
		  DOCA_GENL_A_ENGINE_DESCS },
		{ "doca_engine_redone_total",
		  "Pieces that the CPU had to copy again.",
		  DOCA_GENL_A_ENGINE_REDONE },
		{ "doca_engine_timeouts_total",
		  "Times that an engine took too long.",
		  DOCA_GENL_A_ENGINE_TIMEOUTS },
	};
	const struct records *engines = &figures->engines;
	size_t i;

	print_info(engines);
	print_states(engines);
	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		prom_counter(counters[i].name, counters[i].help);
		print_values(engines, counters[i].attr);
	}
	prom_gauge("doca_engine_mapped_memories",
		   "Memories that are mapped for an engine.");
	print_values(engines, DOCA_GENL_A_ENGINE_MAPS);
}
