# file: cpudevice/viewer/page.js
# test: tests/viewer/view_page.sh chinese
s/currentNode.data.replace(/currentNode.data || ("").replace(/
