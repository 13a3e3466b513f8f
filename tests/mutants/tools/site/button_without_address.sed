# file: tools/site/__main__.py
# test: tests/notes/site_views.sh
/if not repository():/,+1d
