# file: tools/notes/csv_file.py
# test: tests/notes/notes_units.sh
s|next(comma_separated.reader(\[line\]), \[""\])|line.split(",")|
