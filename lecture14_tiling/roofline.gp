# Every rung of the course on one roofline: lecture14-roofline-rungs, from the figures beside them.
# The lab itself draws it (make plots runs this file).
system("make -s DEVICE=cpu build/cpu/lecture14_tiling/roofline && build/cpu/lecture14_tiling/roofline --verify --rung 1 --results results/h200 --plot=build/plots/results/h200/lecture14-roofline >/dev/null")
