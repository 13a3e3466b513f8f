# caught by: limits
/^        float before = /c\
        if (i > 0)\
            atomicAdd(\&y[i - 1], x[i] / 3);\
        if (i + 1 < n)\
            atomicAdd(\&y[i + 1], x[i] / 3);
s/^        y\[i\] = .*/        atomicAdd(\&y[i], x[i] \/ 3 - x[i]);/
