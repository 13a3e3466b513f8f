# file: tools/site/static/course.css
# test: tests/notes/site_browser.sh
s/min-width: 0; padding/padding/
