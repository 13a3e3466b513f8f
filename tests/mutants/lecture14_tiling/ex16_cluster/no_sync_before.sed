# caught by: check
0,/^    cluster.sync();/{/^    cluster.sync();/d
}
