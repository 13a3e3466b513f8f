# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/            if of_english and of_chinese:/            if False:/
