# file: tools/dead_links.py
# test: tests/notes/notes_links.sh
s/elif anchor and path.endswith/elif False and path.endswith/
