# file: tools/site/told.py
# test: tests/notes/site_told.sh
s/ and part not in "[^"]*"//
