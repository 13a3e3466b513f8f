#!/bin/sh
# grading_project.sh: runs grading_project.py, which says what it tests, with answers of tests/mutants.
. "$(dirname "$0")/../harness/python.sh"
