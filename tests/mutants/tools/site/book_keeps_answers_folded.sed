# file: tools/site/book.py
# test: tests/notes/site_book.sh
s/^            given\["open"\] = None$/            pass/
