# file: tools/site/static/occupancy.js
# test: tests/notes/site_pieces.sh
s/Math.ceil((registers \* 32) \/ 256) \* 256;/registers * 32;/
