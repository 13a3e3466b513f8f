# caught by: limits
s/^    for (int c = t; c < cols; c += THREADS)/    for (int c = 0; c < cols; c++)/
