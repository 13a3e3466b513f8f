# caught by: check
/^    cp_async_wait<0>();$/{n
d
}
