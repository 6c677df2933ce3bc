#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Compare the codes that public functions returned to the tests that were run before this one
# with those that the headers name.
here=$(dirname "$0")
# shellcheck disable=SC2086
exec "$here/../../scripts/build/error-codes" report "$here/error_codes.except" \
	"$DOCA_TESTS_RECORD" $HEADERS
