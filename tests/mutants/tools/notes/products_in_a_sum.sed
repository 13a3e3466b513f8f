# file: tools/notes/prose.py
# test: tests/notes/notes_tool.sh
s|re.search(r"\[\*/\]\[-+\]+\[\*/\]", |re.search("two products", |
