# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats
s/| (lane + 1) % T::WINDOW;/| (lane + 1);/
