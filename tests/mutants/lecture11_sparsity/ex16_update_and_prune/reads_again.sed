# caught by: limits
# two passes: prunes what it reads back from memory
s/two\[found++ != 0\] = v\[i\];/two[found++ != 0] = ((volatile float *)out)[4 * g + i];/
