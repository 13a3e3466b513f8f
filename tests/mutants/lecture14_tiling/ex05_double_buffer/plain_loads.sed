# caught by: limits
s/^        cp_async_4(&As\[t % 2\]\[ty\]\[tx\], .*$/        As[t % 2][ty][tx] = a_valid ? A[(size_t)m * K + ak] : 0;/
s/^        cp_async_4(&Bs\[t % 2\]\[ty\]\[tx\], .*$/        Bs[t % 2][ty][tx] = b_valid ? B[(size_t)bk * N + n] : 0;/
