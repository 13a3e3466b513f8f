# file: lecture14_tiling/README.md
# test: notes_links.sh
s|\](hopper.md)|](Hopper.md)|
