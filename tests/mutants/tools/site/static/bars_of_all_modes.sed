# file: tools/site/static/ladder.js
# test: tests/notes/site_pieces.sh
s/const CHOSEN = .*/const CHOSEN = ["type", "size"];/
