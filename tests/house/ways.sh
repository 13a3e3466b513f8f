#!/bin/sh
# ways.sh: runs ways.py, which says what it tests of the mutants.
. "$(dirname "$0")/../harness/python.sh"
