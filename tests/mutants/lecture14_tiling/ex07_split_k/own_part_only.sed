# adds its own part once for every split
s/__ldcg(all + s \* TILE \* TILE/__ldcg(all + split * TILE * TILE/
