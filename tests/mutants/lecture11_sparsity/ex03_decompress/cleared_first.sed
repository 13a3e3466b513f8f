# caught by: limits
# right, but two of the four are written twice
s/^        dense\[4 \* g + i\] = i == first .*$/        dense[4 * g + i] = 0;\n    dense[4 * g + first] = values[2 * g];\n    dense[4 * g + second] = values[2 * g + 1];/
