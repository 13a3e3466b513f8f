# caught by: limits
# right, but with a launch for each four tokens
s/^    sparse_first(W, X, Y, O, T, I, stream);$/    for (int t = 0; t < T; t += 4)\n        sparse_first(W, X + (size_t)t * I, Y + (size_t)t * O, O, T - t < 4 ? T - t : 4, I, stream);/
