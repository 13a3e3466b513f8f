# file: tools/site/sidebar.py
# test: tests/notes/site_pages.sh
s/toctree-l2) has-children/toctree-l2[^"]*) has-children/
