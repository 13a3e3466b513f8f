# file: tools/site/static/pieces.js
# test: tests/notes/site_browser.sh
s/bar.style.width = .*/bar.style.width = `${Math.max(0.5, 75 * share)}%`;/
