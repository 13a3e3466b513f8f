# file: tools/site/slides.py
# test: tests/notes/site_slides.sh
s/ and longest <= columns//
