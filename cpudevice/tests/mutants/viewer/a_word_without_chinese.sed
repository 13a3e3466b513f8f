# file: cpudevice/viewer/chinese.js
# test: tests/notes/chinese_words.sh
/"read before"/d
