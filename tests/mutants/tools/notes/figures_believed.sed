# file: tools/notes/prose.py
# test: tests/notes/notes_tool.sh
s|<= 0.5001 \* unit|<= 5000 * unit|
