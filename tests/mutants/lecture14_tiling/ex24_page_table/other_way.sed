# caught by: nothing
# by token and piece
s/^    for (int i = t; i < pieces; i += 128)$/    for (int n = t \/ 16, i = t; n < min((int)PAGE, length - j * PAGE) \&\& pieces > 0; n += 8, i += 128)/
