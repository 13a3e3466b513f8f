# file: lecture14_tiling/README.md
# test: tests/notes/notes_links.sh
s|\](hopper.md)|](Hopper.md)|
