"""What page.py and notes.py share: the counters' CSV beside the sums that a page holds."""

import csv

METRICS = {  # of the counters' CSV: index into a site's sums, kind, shared
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": ("requests", "load", False),
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum": ("requests", "store", False),
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum": ("requests", "atomic", False),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("sectors", "load", False),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": ("sectors", "store", False),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum": ("sectors", "atomic", False),
    "smsp__sass_inst_executed_op_shared_ld.sum": ("instructions", "load", True),
    "smsp__sass_inst_executed_op_shared_st.sum": ("instructions", "store", True),
    "smsp__sass_inst_executed_op_shared_atom.sum": ("instructions", "atomic", True),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": ("wavefronts", "load", True),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum": ("wavefronts", "store", True),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": ("conflicts", "load", True),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum": ("conflicts", "store", True),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum": ("conflicts", "atomic", True),
}


def counted(path, launch):
    with open(path, newline="") as f:
        return {row["metric"]: float(row["value"]) for row in csv.DictReader(f) if int(row["launch"]) == launch}


def same(site_sums, which, csv_row):
    for metric, (name, kind, shared) in METRICS.items():
        page = sum(s[which][name] for s in site_sums if s["kind"] == kind and s["shared"] == shared)
        want = csv_row.get(metric, 0) + (
            csv_row.get(metric.replace("op_atom", "op_red"), 0) if "global_op_atom" in metric else 0
        )
        if page != want:
            return f"{metric} is {want:g}, the page has {page:g}"
    return ""
