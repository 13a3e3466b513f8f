# file: tools/dead_links.py
# test: tests/notes/notes_links.sh
s/\[^\\w\\- \]", "", shown/[^a-z0-9_\\- ]", "", shown/
