# file: tools/notes/notes.awk
# test: tests/notes/notes_tool.sh
s/> 0.5001 \* unit/> 5000 * unit/
