# file: tools/notes/csv_file.py
# test: tests/notes/notes_units.sh
s|return f"h100-{label(path)}", |return label(path), |
