# file: tools/site/slides.py
# test: tests/notes/site_slides.sh
# what the notes set apart keeps its mark in the speaker's notes
s/^QUOTED = .*/QUOTED = re.compile("$^")/
