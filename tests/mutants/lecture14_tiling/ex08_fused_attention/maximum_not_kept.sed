s/^        max = larger;$//
