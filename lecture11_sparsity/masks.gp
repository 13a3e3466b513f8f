# Four masks of one matrix; the lab itself draws them (make plots runs this file).
system("make -s DEVICE=cpu build/cpu/lecture11_sparsity/masks && build/cpu/lecture11_sparsity/masks --plot=build/plots/results/cpu/lecture11-masks >/dev/null")
