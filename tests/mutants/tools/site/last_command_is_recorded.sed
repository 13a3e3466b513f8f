# file: tools/site/views.py
# test: tests/notes/site_views.sh
s/found.setdefault(lab, command)/found[lab] = command/
