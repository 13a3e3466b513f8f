# file: lecture01_profiling/cdist.cu
# test: lecture01_profiling/cdist 7
s/"sqrt.approx/"rsqrt.approx/
