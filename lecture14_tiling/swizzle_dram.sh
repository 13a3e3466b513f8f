#!/bin/sh
# swizzle_dram.sh [PROGRAM [OUT.csv]]: what each order of tiles fetches from memory, counted by the GPU. Runs the swizzle lab
# under Nsight Compute (ncu), a launch for each rung, and writes rung, order, bytes read from memory, L2 hit rate and time,
# beside what the lab counts when nothing is kept from one wave to the next. K is 2048, an eighth of the lab's, because
# ncu runs each launch several times.
set -u
cd "$(dirname "$0")/.." || exit 2
program=${1:-build/cuda/lecture14_tiling/swizzle}
out=${2:-results/h200/lecture14/swizzle_dram.csv}
size=16384x16384x2048
command -v ncu >/dev/null || { echo "swizzle_dram.sh: needs ncu (Nsight Compute)" >&2; exit 2; }
[ -x "$program" ] || { echo "swizzle_dram.sh: build it first: make DEVICE=cuda lecture14" >&2; exit 2; }
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
ncu --clock-control none --csv --metrics dram__bytes_read.sum,lts__t_sector_hit_rate.pct,gpu__time_duration.sum \
    -k regex:gemm_bf16 "$program" --verify --size $size >"$log" 2>&1 || { tail -3 "$log" >&2; exit 1; }
{
    echo "# device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1 | sed 's/,/, driver/')"
    echo "# date: $(date +%Y-%m-%d)"
    echo "# command: sh lecture14_tiling/swizzle_dram.sh"
    echo "# size: $size, bf16"
    echo "rung,name,read_from_memory_gb,counted_gb,l2_hit_percent,time_ms"
    awk '
        # the counts of the lab, for K = 16384: name, rows, columns, GB, ratio
        /GB to fetch in all/ { counting = 1; next }
        counting && NF >= 5 { name = $1; for (i = 2; i <= NF - 4; i++) name = name " " $i; counted[name] = $(NF - 1) / 8 }
        counting && NF < 5 { counting = 0 }
        /^ +[0-9]+ .*ok/ { rung = $1; name = $2; for (i = 3; $i != "bf16"; i++) name = name " " $i; names[n++] = name }
        /^"[0-9]+"/ {
            gsub(/","/, "\t"); gsub(/"/, "")
            split($0, f, "\t"); value = f[15]; gsub(/,/, "", value)
            if (f[13] == "dram__bytes_read.sum") read[f[1]] = value / 1e9
            if (f[13] == "lts__t_sector_hit_rate.pct") hit[f[1]] = value
            if (f[13] == "gpu__time_duration.sum") time[f[1]] = value / 1e6
        }
        END {
            for (i = 0; i < n; i++)
                printf "%d,%s,%.2f,%.2f,%.1f,%.3f\n", i + 1, names[i], read[i], counted[names[i]], hit[i], time[i]
        }' "$log"
} >"$out"
cat "$out"
