# file: cpudevice/viewer/page.js
# test: tests/viewer/view_page.sh
s/e.textContent = words;/e.innerHTML = words;/
