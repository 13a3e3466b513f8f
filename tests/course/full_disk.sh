#!/bin/sh
# full_disk.sh: runs full_disk.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
