# file: tools/site/__main__.py
# test: tests/notes/site_told.sh
s/file = "" if site.prefix else /file = /
