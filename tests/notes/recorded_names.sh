#!/bin/sh
# recorded_names.sh: runs recorded_names.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
