s|As\[ty\]\[tx\] = m < M|As[tx][ty] = m < M|
