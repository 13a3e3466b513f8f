# file: tools/site/static/ladder.js
# test: tests/notes/site_pieces.sh
s/CHOSEN.every((name) => !(name in chosen)/CHOSEN.every((name) => name === "mode" || !(name in chosen)/
