# caught by: nothing
# orders tile t + 1 after the barrier, when all threads have read tile t - 1, so that one barrier per round is enough
/^        if (t + 1 < tiles)$/,/^        __syncthreads();$/c\
        cp_async_wait<0>();\
        __syncthreads();\
        if (t + 1 < tiles)\
            copy_tile(t + 1);\
        cp_async_commit();
/before the next round overwrites/,/<<< answer/s/__syncthreads();//
