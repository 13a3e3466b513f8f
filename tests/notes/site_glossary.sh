#!/bin/sh
# site_glossary.sh: runs site_glossary.py, which says what it tests.
. "$(dirname "$0")/../harness/python.sh"
