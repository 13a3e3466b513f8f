s/\*cluster.map_shared_rank(&part, b)/part/
