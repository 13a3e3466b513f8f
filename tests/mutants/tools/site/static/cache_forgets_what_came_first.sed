# file: tools/site/static/tiles.js
# test: tests/notes/site_pieces.sh
s/if (at >= 0) set.splice(at, 1);/if (at >= 0) return true;/
