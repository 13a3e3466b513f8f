#!/bin/sh
# grading_printed.sh: runs grading_printed.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
