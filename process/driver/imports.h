/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Memory of other processes. */
#ifndef INPROC_IMPORTS_H
#define INPROC_IMPORTS_H

/* From now on the driver imports it. */
void imports_start(void);

#endif /* INPROC_IMPORTS_H */
