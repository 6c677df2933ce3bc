/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Debug mode: a program that does not call doca_pe_progress() waits for callbacks that
 * never come, and makes no call that could tell it so. A thread therefore looks, four
 * times a second, for engines with tasks that have been done for a second without such a
 * call.
 */
#ifndef DOCA_CORE_PE_WATCH_H
#define DOCA_CORE_PE_WATCH_H

/* Number of looks in a second. */
#define PE_WATCH_LOOKS 4

/* Start the thread that looks, once in a process. */
void pe_watch_start(void);

/* Look once. */
void pe_watch_look(void);

#endif /* DOCA_CORE_PE_WATCH_H */
