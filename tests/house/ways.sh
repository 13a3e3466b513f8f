#!/bin/sh
# ways.sh: runs mutants_apply.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
