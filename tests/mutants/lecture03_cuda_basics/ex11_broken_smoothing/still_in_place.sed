# caught by: check
s/x\[i - 1\] : 0, after/y[i - 1] : 0, after/
s/? x\[i + 1\] : 0;/? y[i + 1] : 0;/
s/before + x\[i\]/before + y[i]/
