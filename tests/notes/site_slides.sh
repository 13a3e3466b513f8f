#!/bin/sh
# site_slides.sh: runs site_slides.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
