# caught by: nothing
s/^    for (int s = 0; s < SPLITS; s++)$/    for (int s = SPLITS - 1; s >= 0; s--)/
