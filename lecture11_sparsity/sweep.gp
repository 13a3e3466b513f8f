# Where sparse beats dense: time over sparsity, from the table that ./run formats --csv writes beside its ladder.
file = "results/h200/lecture11-formats_sweep.csv"
set datafile separator ","
set key outside right top
set xlabel "sparsity (%)"
set ylabel "ms, 4096 x 4096 x 4096"
set logscale y
set grid
set title "sparse times dense on an H200: CSR in fp32, the others in bf16"
do for [form in "svg png"] {
    if (form eq "svg") { set terminal svg size 900,540 background rgb 'white' } else { set terminal pngcairo size 900,540 }
    set output sprintf("build/plots/results/h200/lecture11-formats_sweep.%s", form)
    plot file every ::1 using (100 * $1):2 with lines lw 2 dt 2 title "dense, cuBLASLt", \
         "" every ::1 using (100 * $1):3 with linespoints title "CSR", \
         "" every ::1 using (100 * $1):4 with linespoints title "cuSPARSE", \
         "" every ::1 using (100 * $1):5 with linespoints title "blocks of 8", \
         "" every ::1 using (100 * $1):6 with linespoints title "blocks of 16", \
         "" every ::1 using (100 * $1):7 with linespoints title "blocks of 32", \
         "" every ::1 using (100 * $1):8 with linespoints title "blocks of 64", \
         "" every ::1 using (100 * $1):9 with points pt 7 ps 1.5 title "2:4, mma.sp"
}
