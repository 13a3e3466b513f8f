"""Recording costs less than the counters do beside it: processor time of labs under cucc --check alone, with the
counters, and with a recording, which needs the counters too.  In TAP.  Arguments: the folder for what is written, then
labs with options."""

import os
import subprocess
import sys

from tap import check, status

ALL = "memcheck,racecheck,initcheck,synccheck,hostcheck,counters"


def cpu_s(command, **settings):
    p = subprocess.Popen(
        command, env=dict(os.environ, **settings), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, ended, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(ended) if hasattr(os, "waitstatus_to_exitcode") else ended
    if p.returncode:
        raise RuntimeError(f"{' '.join(command)} ends with {p.returncode}")
    return used.ru_utime + used.ru_stime


def main():
    page = os.path.join(sys.argv[1], "cost.html")
    for lab in sys.argv[2:]:
        command = lab.split()
        times = {"alone": [], "counters": [], "recording": []}
        for attempt in range(9):  # the least of several, in turns, since the machine may be busy
            times["alone"].append(cpu_s(command))
            times["counters"].append(cpu_s(command, CUDA_CPU_TOOLS=ALL))
            times["recording"].append(cpu_s(command, CUDA_CPU_VIEW=page, CUDA_CPU_VIEW_LAUNCH="largest"))
            alone, counting, recording = (min(t) for t in times.values())
            if attempt >= 2 and recording - counting < counting - alone:
                break
        words = f"{alone:.2f} s checked, {counting:.2f} s with counters, {recording:.2f} s recorded too"
        check(
            f"{os.path.basename(command[0])}: recording costs less than counting ({words})",
            recording - counting < counting - alone,
        )
    sys.exit(status())


main()
