# file: tools/site/static/ring.js
# test: tests/notes/site_pieces.sh
s/^    side.parity ^= 1;$//
