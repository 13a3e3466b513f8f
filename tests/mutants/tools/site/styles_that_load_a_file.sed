# file: tools/site/first_page.py
# test: tests/notes/site_pages.sh
s/ADDRESS.search(text) or/False or/
