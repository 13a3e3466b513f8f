# A record keeps a rung's former name.
# file: results/h200/lecture03/greyscale.csv
# test: tests/notes/recorded_names.sh
s/interleaved; 2D 16 x 16/interleaved; in two dimensions/
