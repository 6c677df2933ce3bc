#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Compare the lines that public functions logged when they failed in the tests that were run
# before this one with those that doca_log.h promises.
here=$(dirname "$0")

# The older levels log as a program does, which is not recorded.
for header in $HEADERS; do
	case $header in
	*/doca-1.[35]/*) ;;
	*) set -- "$@" "$header" ;;
	esac
done
exec "$here/../../scripts/build/error-codes" lines "$here/log_lines.except" \
	"$DOCA_TESTS_RECORD" "$@"
