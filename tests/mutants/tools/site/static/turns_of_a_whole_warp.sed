# file: tools/site/static/warp.js
# test: tests/notes/site_pieces.sh
s/const lanes = size > 8.*;/const lanes = LANES;/
