#!/bin/sh
# grading_full_disk.sh: runs grading_full_disk.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
