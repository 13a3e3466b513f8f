# file: tools/profiler/cuprof_chinese.js
# test: tests/notes/chinese_words.sh
/"counters":/d
