/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Debug mode: a program that does not call doca_pe_progress() waits for callbacks that
 * never come, and makes no call in which that could be told. So a thread looks, four times
 * a second, for engines with tasks that have been done for a second without such a call.
 */
#ifndef DOCA_CORE_PE_WATCH_H
#define DOCA_CORE_PE_WATCH_H

/* Looks in a second. */
#define PE_WATCH_LOOKS 4

/* Have a thread look from now on, once in a process. */
void pe_watch_start(void);

/* One look. */
void pe_watch_look(void);

#endif /* DOCA_CORE_PE_WATCH_H */
