# caught by: limits
# right, but with a launch for each token
s/^    sparse_first(W, X, Y, O, T, I, stream);$/    for (int t = 0; t < T; t++)\n        sparse_first(W, X + (size_t)t * I, Y + (size_t)t * O, O, 1, I, stream);/
