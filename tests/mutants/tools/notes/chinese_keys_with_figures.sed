# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/    text = FIGURE.sub(.*/    text = "\\n".join(block.text)/
