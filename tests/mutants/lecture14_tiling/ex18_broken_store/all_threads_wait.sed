# caught by: nothing
/^        if (issues)$/{
N
s/.*\n    /    /
}
