#!/bin/sh
# grading_built_once.sh: runs grading_built_once.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
