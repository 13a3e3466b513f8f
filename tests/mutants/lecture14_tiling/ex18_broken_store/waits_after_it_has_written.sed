# caught by: check
/^        if (issues)$/{
N
d
}
s/^        fence_proxy_async();$/&\
        if (issues)\
            tma_store_wait_read<1>();/
