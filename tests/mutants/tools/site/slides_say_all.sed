# file: tools/site/slides.py
# test: tests/notes/site_slides.sh
# of Chinese a slide holds whatever is said
s/<= COLUMNS/<= 1000 * COLUMNS/
