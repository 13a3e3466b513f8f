# file: tools/site/static/course.css
# test: tests/notes/site_browser.sh
s/, .skip-to-content { display/ { display/
