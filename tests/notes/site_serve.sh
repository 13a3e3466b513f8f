#!/bin/sh
# site_serve.sh: runs site_serve.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
