# the guard is on A's shape where B's is meant
s|if (m < M \&\& n + i < N)$|if (m < N \&\& n + i < M)|
