# file: tools/site/book.py
# test: tests/notes/site_book.sh
s/if after.get(a) != n\]/if False]/
