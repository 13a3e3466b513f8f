#!/bin/sh
# grading_class.sh [DEVICE] [STUDENTS]: runs grading_class.py, which says what it tests, with answers of tests/mutants.
. "$(dirname "$0")/../harness/python.sh"
