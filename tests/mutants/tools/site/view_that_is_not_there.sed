# file: tools/site/__main__.py
# test: tests/notes/site_views.sh
/if not os.path.exists(os.path.join(TOP, views.VIEWS/,+1d
