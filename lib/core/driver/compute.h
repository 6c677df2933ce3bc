/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_CORE_COMPUTE_H
#define DOCA_CORE_COMPUTE_H

struct compute;

/* Load the algorithms of other libraries; NULL, with a line in the log, if that fails. */
const struct compute *compute_plugin(void);

#endif /* DOCA_CORE_COMPUTE_H */
