s/sparse_first(W, X, Y, O, T, I, stream);/sparse_first(X, W, Y, T, O, I, stream);/
