s/sparse_first(W, X, Y, O, T, I, stream);/sparse_first(W, X, Y, O, T, I - 1, stream);/
