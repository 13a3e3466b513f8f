#!/bin/sh
# grading_chinese.sh: runs grading_chinese.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
