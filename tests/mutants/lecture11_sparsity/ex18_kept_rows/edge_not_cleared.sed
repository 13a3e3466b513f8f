# caught by: check
# copies past the end of a row: the beginning of the next row, and past the last one what is not B's
s/^            if (n0 + column < N)$/            if (n0 <= N)/
