# Accuracy against sparsity, mean and standard deviation over seeds, from what ./run lottery --csv writes.
file = "results/h200/lecture11-lottery_curves.csv"
set datafile separator ","
set key left bottom
set xlabel "weights left"
set ylabel "test accuracy (%)"
set logscale x
set xrange [*:*] reverse
set yrange [20:100]
set grid
set title "lottery tickets: 64-96-48-10 perceptron, 8 x 8 digits, 5 seeds"
do for [form in "svg png"] {
    if (form eq "svg") { set terminal svg size 800,500 background rgb 'white' } else { set terminal pngcairo size 800,500 }
    set output sprintf("build/plots/results/h200/lecture11-lottery_curves.%s", form)
    plot file every ::1 using 1:3:4 with yerrorlines title "winning tickets", \
         "" every ::1 using 1:5:6 with yerrorlines title "same mask, other initial weights", \
         "" every ::1 using 1:7:8 with yerrorlines title "random mask, same initial weights"
}
