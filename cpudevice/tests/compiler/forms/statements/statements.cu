// dump parse
__global__ void k(int *p, int n)
{
    if (n > 1)
        p[0] = 1;
    else if (n)
        p[1] = 2;
    for (int i = 0, j = n; i < j; i++, --j)
        continue;
    do {
        n--;
    } while (n > 0);
    switch (n) {
    case 1: break;
    default: return;
    }
    __syncthreads();
    goto end;
end:;
}
