# caught by: nothing
s/^    cluster.sync();/    cluster_arrive();\n    cluster_wait();/
