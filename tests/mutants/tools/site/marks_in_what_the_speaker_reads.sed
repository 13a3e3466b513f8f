# file: tools/site/slides.py
# test: tests/notes/site_slides.sh
# the speaker's notes keep the marks of strong words
s|<p>{as_html(text)}</p>|<p>{html.escape(text)}</p>|
