#!/bin/sh
# site_told.sh: runs site_told.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
