# checks the square's corner, not each element
s/if (m0 + row + i < M && n0 + column + j < N)/if (m0 + row < M \&\& n0 + column < N)/
