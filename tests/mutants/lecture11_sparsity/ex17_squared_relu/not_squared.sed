s/y\[i\] = positive \* positive;/y[i] = positive;/
