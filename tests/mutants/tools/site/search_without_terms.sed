# file: tools/site/search.py
# test: tests/notes/site_search.sh
s/\[\*terms_in(chinese, known, longest), /[/
