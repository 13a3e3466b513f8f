# file: tools/site/slides.py
# test: tests/notes/site_slides.sh
# the items of a list follow each other in one paragraph of the speaker's notes
s/ITEM.match(line) or not line/not line/
