# file: tools/site/prune.py
# test: tests/notes/site_pages.sh
s/if fewer == trees:/if True:/
