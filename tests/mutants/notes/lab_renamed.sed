# file: lecture03_cuda_basics/README.md
# test: notes_links.sh
s|\./run greyscale|./run grayscale|
