# file: tools/site/axe.py
# test: tests/notes/site_browser.sh
s/placed ? looks.size : ""/""/
