# tx runs along A's columns and ty along B's rows: the guards have it the other way round
s|m < M \&\& k0 + tx < K ? A|m < M \&\& k0 + ty < K ? A|
s|k0 + ty < K \&\& n < N ? B|k0 + tx < K \&\& n < N ? B|
