#!/bin/sh
# grading_unseen.sh: runs grading_unseen.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
