# file: lecture03_cuda_basics/README.md
# test: notes_test.sh
s|\./run greyscale|./run grayscale|
