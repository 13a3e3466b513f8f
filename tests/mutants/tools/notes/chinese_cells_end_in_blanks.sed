# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/(?=\[^\\s|\])/(?=\\S)/
