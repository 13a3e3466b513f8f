# file: cpudevice/viewer/words.js
# test: tests/viewer/view_page.sh chinese
s/(_, i) => values\[i - 1\]/() => values.shift()/
