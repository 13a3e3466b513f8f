# file: tools/site/search.py
# test: tests/notes/site_search.sh
s/, \*pairs_in(chinese)\]/]/
