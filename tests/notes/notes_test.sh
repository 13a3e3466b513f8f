#!/bin/sh
# notes_test.sh: runs notes_test.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
