# caught by: check
/^            sum += tile/{
n
d
}
