# file: tools/notes/prose.py
# test: tests/notes/notes_units.sh
/if FILES.fullmatch(expression):/s/FILES.fullmatch(expression)/False/
