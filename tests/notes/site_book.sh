#!/bin/sh
# site_book.sh: runs site_book.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
