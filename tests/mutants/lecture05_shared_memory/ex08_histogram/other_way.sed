# caught by: nothing
s/^        atomicAdd(&count\[bin\], mine\[bin\]);$/        if (mine[bin] > 0)\n            atomicAdd(\&count[bin], mine[bin]);/
