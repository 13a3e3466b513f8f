# caught by: nothing
s/^        if (t + 1 < tiles)$/        if (tiles > t + 1)/
