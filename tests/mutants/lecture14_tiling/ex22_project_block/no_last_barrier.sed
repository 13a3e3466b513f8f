# caught by: check
# the next tile is stored while slower warps still read this one
/^            }$/ {
    N
    N
    s/\n        __syncthreads();//
}
