#!/bin/sh
# site_views.sh: runs site_views.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
