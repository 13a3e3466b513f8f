# file: lecture14_tiling/attention_backward/02_fused.cuh
# test: lecture14_tiling/attention_backward 2
s|int tile = a.causal ? first / BM : 0|int tile = first / BM|
