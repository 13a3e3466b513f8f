#!/bin/sh
# absent.sh: runs absent.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
