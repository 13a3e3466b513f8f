# caught by: check
/^        if (issues)$/{
N
s/issues/tx == 1 \&\& ty == 0/
}
