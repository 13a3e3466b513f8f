# file: lecture14_tiling/README.md
# test: tests/notes/notes_test.sh
s|\](hopper.md)|](Hopper.md)|
