# file: tools/site/static/roofline.js
# test: tests/notes/site_pieces.sh
s/!r.as_dense \&\& //
