# caught by: check
/^    cp_async_wait<0>();$/{
N
s/\(.*\)\n\(.*\)/\2\n\1/
}
