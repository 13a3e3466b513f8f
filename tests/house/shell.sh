#!/bin/sh
# shell.sh: runs shell.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
