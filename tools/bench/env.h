/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Prints where the measuring takes place, for figures say nothing without it. */
#ifndef BENCH_ENV_H
#define BENCH_ENV_H

void env_print(void);

#endif /* BENCH_ENV_H */
