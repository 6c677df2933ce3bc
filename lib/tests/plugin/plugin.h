/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_TESTS_PLUGIN_H
#define DOCA_TESTS_PLUGIN_H

struct plugin_test_table {
	const char *release;
	int value;
};

#endif /* DOCA_TESTS_PLUGIN_H */
