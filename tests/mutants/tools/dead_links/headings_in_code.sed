# file: tools/dead_links.py
# test: tests/notes/notes_links.sh
s/FENCED.sub("", text)/text/
