# caught by: limits
# orders tile t + 1 when tile t has been multiplied
/^        if (t + 1 < tiles)$/,/^        cp_async_commit();$/d
s/cp_async_wait<1>();/cp_async_wait<0>();/
/before the next round overwrites/,/<<< answer/s/^        __syncthreads();/        if (t + 1 < tiles)\
            copy_tile(t + 1);\
        cp_async_commit();\
        __syncthreads();/
