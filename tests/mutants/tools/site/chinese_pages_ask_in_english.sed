# file: tools/site/__main__.py
# test: tests/notes/site_told.sh
/asked, helps = \[\*lines/d
