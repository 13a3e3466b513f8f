# caught by: nothing
s/^    \*(volatile unsigned long long \*)&to_peer\[i\] = \(.*\);/    atomicExch_system(\&to_peer[i], \1);/
