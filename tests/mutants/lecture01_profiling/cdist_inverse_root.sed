# file: lecture01_profiling/cdist.cu
# test: lecture01_profiling/cdist
s/"sqrt.approx/"rsqrt.approx/
