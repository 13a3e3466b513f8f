# caught by: nothing
# the tokens in two halves
s/^    sparse_first(W, X, Y, O, T, I, stream);$/    const int half = T \/ 2;\
    if (half > 0)\
        sparse_first(W, X, Y, O, half, I, stream);\
    sparse_first(W, X + (size_t)half * I, Y + (size_t)half * O, O, T - half, I, stream);/
