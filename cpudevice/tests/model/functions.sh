# functions.sh (make check does not run this): for the cases here.
# shellcheck shell=sh
any_device=yes
cucc=cpudevice/cucc # by the same name in every tree, so that what is precompiled in one serves the others

# Runs the program under the model of the chip of round figures; the launches are in $work/model.csv, the table in $work/table.
# Arithmetic other than double takes no time there, but where the pipes' rates are given: of alu, fma, imad and xu.
# shellcheck disable=SC2120 # the cases give rates
modelled() { # [RATE...]
    awk -F, -v OFS=, -v rates="$*" 'BEGIN { n = split(rates, rate, " ") } $1 ~ /^(alu|fma|imad|xu)_per_cycle$/ && n { $2 = rate[++i] } { print }' \
        "$folder/round.csv" >"$work/chip.csv"
    CUDA_CPU_MODEL=$work/chip.csv CUDA_CPU_MODEL_CSV=$work/model.csv "$exe" >"$work/out" 2>"$work/table" || { cat "$work/table"; return 1; }
}

# The columns named of each launch of a kernel.
columns() { # KERNEL COLUMN...
    kernel=$1 && shift
    awk -F, -v kernel="\"$kernel\"" -v names="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
        $1 == kernel { for (i = 1; i <= n; i++) printf "%s%s", $(at[name[i]]), i < n ? " " : "\n" }' "$work/model.csv"
}

# The range beside a kernel's time is the time times the two figures of ranges.inc for what limits it.
ranged() { # LIMITER KERNEL
    sed -n "s/^{\"$1\", \([0-9]*\), \([0-9.]*\), \([0-9.]*\)},/\1 \2 \3/p" "$folder/../../model/ranges.inc" >"$work/range"
    columns "$2" cold_us | awk -v told="$(columns "$2" note)" '
        NR == FNR { pairs = $1; low = $2; high = $3; next }
        { expected = sprintf("%.1f to %.1f us by %d comparisons", low * $1, high * $1, pairs)
          print index(told, expected) ? "the same" : "not " expected ": " told }' "$work/range" -
}

# How many instructions the ALU, FMA, integer products and XU have in nvcc's code.
machine_code() { # KERNEL
    PATH=$PATH:build/nvdisasm/bin
    command -v nvcc >/dev/null && command -v nvdisasm >/dev/null || { echo "costs: no nvcc or nvdisasm"; return 0; }
    python3 tools/model/costs.py "$case" "$1"
}

# What nvcc -Xptxas -v prints, with the numbers of registers that the test chooses; and what it really prints.
by_hand() {
    while read -r mangled registers; do
        echo "ptxas info    : Compiling entry function '$mangled' for 'sm_90a'"
        echo "ptxas info    : Function properties for $mangled"
        echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
        echo "ptxas info    : Used $registers registers, used 0 barriers"
    done >"$work/list" <<EOF
_Z12plain_kernelPf 64
_Z15instance_kernelILi4EfEvPT0_ 40
_Z15instance_kernelILi4EiEvPT0_ 24
_Z13colour_kernelIL6colour0EEvPf 48
_Z13colour_kernelIL6colour1EEvPf 48
_ZN36_GLOBAL__N__321a45df_4_a_cu_a6d9a62614unnamed_kernelEPf 56
EOF
    CUDA_CPU_MODEL_REGISTERS=$work/list modelled
}
by_nvcc() {
    command -v nvcc >/dev/null || { echo "registers: no nvcc"; return 1; }
    nvcc -arch=sm_90a -Xptxas -v -cubin -o "$work/cubin" "$case" 2>"$work/list" && CUDA_CPU_MODEL_REGISTERS=$work/list modelled
}

# Of each launch: its kernel, registers and occupancy, and whether the registers are assumed.
registers() {
    awk -F, 'NR > 1 { gsub(/"/, "", $1); print $1, $14, $15 (/registers are assumed/ ? " assumed" : "") }' "$work/model.csv"
}
