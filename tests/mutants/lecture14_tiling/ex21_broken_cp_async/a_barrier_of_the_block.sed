# caught by: nothing
/^    cp_async_wait<0>();$/{n
s/__syncwarp/__syncthreads/
}
