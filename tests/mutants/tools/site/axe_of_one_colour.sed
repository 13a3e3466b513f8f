# file: tools/site/axe.py
# test: tests/notes/site_browser.sh
s/s\.color, s\.backgroundColor/s.borderStyle/
