#!/bin/sh
# compatibility.sh: runs compatibility.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
