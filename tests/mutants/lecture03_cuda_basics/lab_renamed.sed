# file: lecture03_cuda_basics/README.md
# test: tests/notes/notes_links.sh
s|\./run greyscale|./run grayscale|
