# file: cpudevice/viewer/page.js
# test: tests/viewer/view_page.sh words
s/e.textContent = words;/e.innerHTML = words;/
