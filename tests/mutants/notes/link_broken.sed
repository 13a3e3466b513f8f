# file: lecture14_tiling/README.md
# test: notes_test.sh
s|\](hopper.md)|](Hopper.md)|
