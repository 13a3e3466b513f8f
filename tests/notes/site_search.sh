#!/bin/sh
# site_search.sh: runs site_search.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
