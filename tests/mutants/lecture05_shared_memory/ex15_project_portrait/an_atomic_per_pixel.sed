# caught by: limits
s/^        smallest = min(smallest, (unsigned)g\[i\]);$/        atomicMin(\&range[0], (unsigned)g[i]);/
