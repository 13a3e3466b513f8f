# file: tools/site/static/tiles.js
# test: tests/notes/site_pieces.sh
s/if (ry === 0) {/if (false) {/
