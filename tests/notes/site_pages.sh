#!/bin/sh
# site_pages.sh: runs site_pages.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
