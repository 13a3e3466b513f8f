s/float sum = b\[col\];/float sum = b[row % units];/
