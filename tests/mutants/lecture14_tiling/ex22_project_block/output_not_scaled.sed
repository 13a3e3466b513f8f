s/^            o\[i\] \*= scale;$//
