// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Matrices that programs have made. The driver gets each when it is made, so no task has to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/device/dev.h"
#include "ec.h"
#include "matrix.h"

LOG_SOURCE("EC::MATRIX");

static doca_error_t driver_error(int err)
{
	switch (err) {
	case -EDQUOT:
		return FAIL(NO_MEMORY,
			    "cannot create a matrix: the user has too many; "
			    "destroy some, or raise max_objects or "
			    "max_ring_bytes, parameters of the doca module");
	case -ENOSPC:
		return FAIL(NO_MEMORY,
			    "cannot create a matrix: the process has 65535 "
			    "matrices and keys; destroy some");
	case -ENOMEM:
		return FAIL(NO_MEMORY, "cannot create a matrix: out of memory");
	default:
		return FAIL(DRIVER, "cannot create a matrix: %s",
			    errno_text(err));
	}
}

/* Return a matrix without coefficients, or NULL. */
static struct doca_ec_matrix *new_matrix(struct doca_ec *ec, size_t rows,
					 size_t columns)
{
	struct doca_ec_matrix *matrix =
		calloc(1, sizeof(*matrix) + rows * columns);

	if (!matrix) {
		LOG_ERR("out of memory for a matrix");
		return NULL;
	}
	matrix->ec = ec;
	matrix->rows = rows;
	matrix->columns = columns;
	return matrix;
}

/* Hand a complete matrix to the driver, and to the program; it is gone if that fails. */
static doca_error_t give_matrix(struct doca_ec_matrix *matrix,
				struct doca_ec_matrix **out)
{
	struct doca_object_create arg = {
		.device_id = doca_priv_dev_id(matrix->ec->ctx.dev),
		.type = DOCA_OBJECT_GF_MATRIX,
		.data = (uintptr_t)matrix->coefficients,
		.length = matrix->rows * matrix->columns,
		.rows = matrix->rows,
		.columns = matrix->columns,
	};
	int err = driver_object_create(&arg, &matrix->object);

	if (err) {
		free(matrix);
		return driver_error(err);
	}
	matrix->ec->nr_matrices++;
	doca_priv_debug_add(matrix, &doca_ec_matrix_object, sizeof(*matrix), 1);
	*out = matrix;
	return DOCA_SUCCESS;
}

static bool has_size(size_t columns, size_t rows, const struct log_site *site)
{
	if (columns && columns <= EC_MAX_COLUMNS && rows && rows <= EC_MAX_ROWS)
		return true;
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
	       "%s(): invalid argument: there are 1 to %d blocks of data and "
	       "1 to %d of redundancy, not %zu and %zu",
	       site->func, EC_MAX_COLUMNS, EC_MAX_ROWS, columns, rows);
	return false;
}

doca_error_t doca_ec_matrix_create(struct doca_ec *ec,
				   enum doca_ec_matrix_type type,
				   size_t data_block_count,
				   size_t rdnc_block_count,
				   struct doca_ec_matrix **matrix)
{
	static const struct log_site site = LOG_SITE;
	struct doca_ec_matrix *made;

	if (!valid_ctx(ec, doca_ec) || !given(matrix) ||
	    !has_size(data_block_count, rdnc_block_count, &site))
		return DOCA_ERROR_INVALID_VALUE;
	if (type != DOCA_EC_MATRIX_TYPE_CAUCHY &&
	    type != DOCA_EC_MATRIX_TYPE_VANDERMONDE)
		return FAIL(INVALID_VALUE, "there is no type of matrix %d",
			    (int)type);
	made = new_matrix(ec, rdnc_block_count, data_block_count);
	if (!made)
		return DOCA_ERROR_NO_MEMORY;
	if (type == DOCA_EC_MATRIX_TYPE_CAUCHY)
		doca_priv_ec_cauchy(made->coefficients, made->rows,
				    made->columns);
	else
		doca_priv_ec_vandermonde(made->coefficients, made->rows,
					 made->columns);
	return give_matrix(made, matrix);
}

doca_error_t doca_ec_matrix_create_from_raw(struct doca_ec *ec, uint8_t *data,
					    size_t data_block_count,
					    size_t rdnc_block_count,
					    struct doca_ec_matrix **matrix)
{
	static const struct log_site site = LOG_SITE;
	struct doca_ec_matrix *made;

	if (!valid_ctx(ec, doca_ec) || !given(data) || !given(matrix) ||
	    !has_size(data_block_count, rdnc_block_count, &site))
		return DOCA_ERROR_INVALID_VALUE;
	made = new_matrix(ec, rdnc_block_count, data_block_count);
	if (!made)
		return DOCA_ERROR_NO_MEMORY;
	memcpy(made->coefficients, data, data_block_count * rdnc_block_count);
	return give_matrix(made, matrix);
}

static struct ec_coding coding_of(const struct doca_ec_matrix *matrix)
{
	return (struct ec_coding){ matrix->coefficients, matrix->rows,
				   matrix->columns };
}

/* Check what both functions that make a matrix of another one are given. */
static bool may_derive(const uint32_t *indices, size_t nr, size_t max,
		       uint32_t below, const struct log_site *site)
{
	if (nr && nr <= max && doca_priv_ec_distinct(indices, nr, below))
		return true;
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
	       "%s(): invalid argument: the matrix takes 1 to %zu indices "
	       "below %u, each once",
	       site->func, max, below);
	return false;
}

doca_error_t
doca_ec_matrix_create_recover(struct doca_ec *ec,
			      const struct doca_ec_matrix *coding_matrix,
			      uint32_t missing_indices[], size_t n_missing,
			      struct doca_ec_matrix **matrix)
{
	static const struct log_site site = LOG_SITE;
	struct doca_ec_matrix *made;
	struct ec_coding coding;

	if (!valid_ctx(ec, doca_ec) || !valid(coding_matrix) ||
	    !given(missing_indices) || !given(matrix))
		return DOCA_ERROR_INVALID_VALUE;
	coding = coding_of(coding_matrix);
	if (!may_derive(missing_indices, n_missing, coding.rows,
			coding.columns + coding.rows, &site))
		return DOCA_ERROR_INVALID_VALUE;
	made = new_matrix(ec, n_missing, coding.columns);
	if (!made)
		return DOCA_ERROR_NO_MEMORY;
	if (doca_priv_ec_recover(&coding, missing_indices, n_missing,
				 made->coefficients))
		return give_matrix(made, matrix);
	free(made);
	return FAIL(INVALID_VALUE,
		    "matrix %p cannot recover these blocks, as a Cauchy "
		    "matrix always can",
		    (const void *)coding_matrix);
}

static bool ascends(const uint32_t *indices, size_t nr)
{
	while (nr-- > 1)
		if (indices[nr - 1] >= indices[nr])
			return false;
	return true;
}

doca_error_t
doca_ec_matrix_create_update(struct doca_ec *ec,
			     const struct doca_ec_matrix *coding_matrix,
			     uint32_t update_indices[], size_t n_updates,
			     struct doca_ec_matrix **matrix)
{
	static const struct log_site site = LOG_SITE;
	struct doca_ec_matrix *made;
	struct ec_coding coding;
	size_t max;

	if (!valid_ctx(ec, doca_ec) || !valid(coding_matrix) ||
	    !given(update_indices) || !given(matrix))
		return DOCA_ERROR_INVALID_VALUE;
	coding = coding_of(coding_matrix);
	max = (EC_MAX_COLUMNS - coding.rows) / 2;
	if (max > coding.columns)
		max = coding.columns;
	if (!may_derive(update_indices, n_updates, max, coding.columns, &site))
		return DOCA_ERROR_INVALID_VALUE;
	if (!ascends(update_indices, n_updates))
		return FAIL(INVALID_VALUE,
			    "the indices of changed blocks do not ascend");
	made = new_matrix(ec, coding.rows, 2 * n_updates + coding.rows);
	if (!made)
		return DOCA_ERROR_NO_MEMORY;
	doca_priv_ec_update(&coding, update_indices, n_updates,
			    made->coefficients);
	return give_matrix(made, matrix);
}

doca_error_t doca_ec_matrix_destroy(struct doca_ec_matrix *matrix)
{
	if (!valid(matrix))
		return DOCA_ERROR_INVALID_VALUE;
	if (matrix->nr_inflight)
		return FAIL(IN_USE,
			    "cannot destroy matrix %p: %u tasks in flight use "
			    "it",
			    (void *)matrix, matrix->nr_inflight);
	driver_object_destroy(&matrix->object);
	matrix->ec->nr_matrices--;
	doca_priv_debug_free(matrix);
	return DOCA_SUCCESS;
}
