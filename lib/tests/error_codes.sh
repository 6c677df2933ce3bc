#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# What public functions returned to the tests that were run before this one, compared
# with what the headers say.
here=$(dirname "$0")
# shellcheck disable=SC2086
exec "$here/../../scripts/build/error-codes" report "$here/error_codes.except" \
	"$DOCA_TESTS_RECORD" $HEADERS
