# leaves the last tile's values where the row has ended
s/As\[ak + \([0-3]\)\]\[am\] = v/if (m0 + am < M \&\& k0 + ak < K) As[ak + \1][am] = v/
