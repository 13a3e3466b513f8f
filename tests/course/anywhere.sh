#!/bin/sh
# anywhere.sh: runs anywhere.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
