# file: tools/site/prune.py
# test: tests/notes/site_pages.sh
s/found |= {mark + word/found | {mark + word/
