# file: lecture03_cuda_basics/pictures/grid-1d.svg
# test: tests/notes/notes_pictures
s/viewBox="0 0 400/viewBox="0 0 800/
