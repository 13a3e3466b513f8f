"""The raw page of an ncu report, as CSV (ncu --import FILE --csv --page raw), cut down to what the notes speak of.

ncu_table.py RAW.csv                a row a launch on stdout; a figure that the report has not is left blank
ncu_table.py --roofline RAW.csv...  the launches as points under the roof: operations are fp32's (an FFMA is two),
                                    bytes DRAM's, and the roof is what the chip's clocks at that launch allow
"""

from __future__ import annotations

import csv
import re
import sys

# column of the table: (metric of the report, unit that it is given in; "" as it comes)
COLUMNS = {
    "time_us": ("gpu__time_duration.sum", "us"),
    "sm_pct": ("sm__throughput.avg.pct_of_peak_sustained_elapsed", ""),
    "memory_pct": ("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", ""),
    "dram_pct": ("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", ""),
    "dram_gbps": ("dram__bytes.sum.per_second", "gb/s"),
    "l1_hit_pct": ("l1tex__t_sector_hit_rate.pct", ""),
    "l2_hit_pct": ("lts__t_sector_hit_rate.pct", ""),
    "registers": ("launch__registers_per_thread", ""),
    "limit_blocks": ("launch__occupancy_limit_blocks", ""),
    "limit_registers": ("launch__occupancy_limit_registers", ""),
    "limit_shared": ("launch__occupancy_limit_shared_mem", ""),
    "limit_warps": ("launch__occupancy_limit_warps", ""),
    "theoretical_pct": ("sm__maximum_warps_per_active_cycle_pct", ""),
    "achieved_pct": ("sm__warps_active.avg.pct_of_peak_sustained_active", ""),
    "waves": ("launch__waves_per_multiprocessor", ""),
    "issue_pct": ("smsp__issue_active.avg.pct_of_peak_sustained_active", ""),
    "eligible_warps": ("smsp__warps_eligible.avg.per_cycle_active", ""),
}
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
SCALE = {
    "us": {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3, "s": 1e6, "second": 1e6},
    "gb/s": {"byte/s": 1e-9, "Kbyte/s": 1e-6, "Mbyte/s": 1e-3, "Gbyte/s": 1, "Tbyte/s": 1e3},
}
SCALE["gb/s"] |= {unit.replace("/s", "/second"): factor for unit, factor in SCALE["gb/s"].items()}


def number(text: str) -> float:
    """A cell of ncu's: thousands may be grouped."""
    return float(text.replace(",", ""))


def kernel(name: str) -> str:
    """square_kernel1<64> of 'void square_kernel1<64>(const float *, ...)': no commas."""
    return re.sub(r"\(.*", "", name.removeprefix("void ").replace("(int)", "")).replace(", ", " ")


def cell(row: dict[str, str], units: dict[str, str], metric: str, unit: str) -> str:
    """The metric in `unit`, or an empty cell."""
    text = row.get(metric, "")
    if not text:
        return ""
    factor = SCALE[unit].get(units[metric]) if unit else 1
    return "" if factor is None else f"{number(text) * factor:.4g}"


def stalls(row: dict[str, str]) -> str:
    """The three commonest reasons why a warp waits, each with the cycles it costs an issued instruction."""
    found = [(number(text), match[1]) for key, text in row.items() if (match := STALL.fullmatch(key)) and text]
    found = [pair for pair in found if pair[1] != "selected" and not pair[1].endswith("_not_issued")]
    return "; ".join(f"{reason} {cycles:.1f}" for cycles, reason in sorted(found, reverse=True)[:3])


def launches(path: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The units, and a row a launch."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader([line for line in file if not line.startswith("==")]))
    if len(rows) < 2:
        sys.exit(f"ncu_table.py: {path} has no launches")
    return rows[0], rows[1:]


def point(row: dict[str, str], units: dict[str, str]) -> list[str]:
    """Operations a byte, GFLOP/s, the roof there in GFLOP/s, what part of it is reached, and which roof it is."""

    def value(metric: str) -> float:
        prefixes = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
        unit = units[metric]
        return number(row[metric]) * (prefixes.get(unit[0], 1) if unit[1:2].islower() else 1)

    executed = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum.per_cycle_elapsed"
    a_cycle = value(executed.format("fadd")) + value(executed.format("fmul")) + 2 * value(executed.format("ffma"))
    flops = a_cycle * value("smsp__cycles_elapsed.avg.per_second")
    flat = (
        2
        * value("sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained")
        * value("sm__cycles_elapsed.avg.per_second")
    )
    bytes_peak = value("dram__bytes.sum.peak_sustained") * value("dram__cycles_elapsed.avg.per_second")
    intensity = flops / value("dram__bytes.sum.per_second")
    if not flops:
        return ["0", "0", "", "", ""]
    roof = min(flat, intensity * bytes_peak)
    digits = [f"{float(f'{x:.4g}'):.10g}" for x in (intensity, flops / 1e9, roof / 1e9)]  # four, and no exponent
    return [*digits, f"{flops / roof:.3f}", "arithmetic" if roof == flat else "memory"]


def roofline(paths: list[str]) -> None:
    """Prints the points of the reports' launches."""
    print("kernel,time_us,flop_per_byte,gflops,roof_gflops,of_roof,roof")
    for path in paths:
        units, rows = launches(path)
        for row in rows:
            time = cell(row, units, *COLUMNS["time_us"])
            print(",".join([kernel(row["Kernel Name"]), time, *point(row, units)]))


def main() -> int:
    """Prints the table."""
    if len(sys.argv) > 2 and sys.argv[1] == "--roofline":
        roofline(sys.argv[2:])
        return 0
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    units, rows = launches(sys.argv[1])
    print(",".join(["launch", "kernel", "grid", "block", *COLUMNS, "stalls"]))
    for launch, row in enumerate(rows, 1):
        shape = [row[key].strip("()").split(", ")[0].replace(",", "") for key in ("Grid Size", "Block Size")]
        cells = [cell(row, units, metric, unit) for metric, unit in COLUMNS.values()]
        print(",".join([str(launch), kernel(row["Kernel Name"]), *shape, *cells, stalls(row)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
