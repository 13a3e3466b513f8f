# caught by: check
/^            sum += tile/{n
n
d
}
