# file: cpudevice/viewer/page.js
# test: view_page.sh
s/e.textContent = words;/e.innerHTML = words;/
