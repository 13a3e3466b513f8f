# file: tools/site/static/course.css
# test: tests/notes/site_browser.sh
s/white-space: pre-wrap; //
