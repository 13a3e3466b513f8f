# caught by: check
/^        y\[r\] = sum;/{n
n
d
}
