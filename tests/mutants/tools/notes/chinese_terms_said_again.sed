# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/for number in named\[1:\])/for number in named[9:])/
