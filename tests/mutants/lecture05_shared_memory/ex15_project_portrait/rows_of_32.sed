# caught by: limits
# turned[tx][row] with rows of 32 words: the 32 lanes store into one bank
s/^    __shared__ float turned\[TILE\]\[TILE + 1\];$/    __shared__ float turned[TILE][TILE];/
