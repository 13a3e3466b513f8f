# caught by: limits
s/^    for (int c = lane; c < cols; c += 32)$/    for (int c = lane ? cols : 0; c < cols; c++)/
