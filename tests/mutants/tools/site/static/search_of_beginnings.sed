# file: tools/site/static/search.js
# test: tests/notes/site_search.sh
s/term.includes(word)/term.startsWith(word)/
