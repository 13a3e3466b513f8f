#!/bin/sh
# counts_recorded.sh: runs counts_recorded.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
