# file: lecture05_shared_memory/pictures/banks-column.svg
# test: tests/notes/notes_pictures
s/^turns=32/turns=31/
