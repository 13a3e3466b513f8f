# caught by: nothing
# copies that pass no register, with zeros for what is outside
/^            uint4 piece = /,/^            \*(uint4 \*)&tile/c\
            const bool inside = n0 + column < N;\
            cp_async_16(\&tile[row][column], B + (size_t)list[k0 + row] * N + (inside ? n0 + column : 0), inside);
/^        __syncthreads();$/i\
        cp_async_commit();\
        cp_async_wait<0>();
