"""tools/course.sh counts --check refuses a record with another figure, of another source, with a rung that is not
counted, or that is missing, and takes the record as it is."""

import re
import shutil
import sys
from pathlib import Path

from sandbox import needs_sandbox, work
from tap import check, said, status

RECORDS, RECORD = Path("results/cpu/counts").absolute(), "lecture14-gemm_ceiling.csv"
NAME = f"results/cpu/counts/{RECORD}"
AGAIN = "(tools/course.sh counts gemm_ceiling)"
TEXT = (RECORDS / RECORD).read_text()


def says(what: str, verdict: str, record: str | None) -> None:
    """Of this text in place of the record, or of none."""
    counts = work / "counts"
    shutil.rmtree(counts, ignore_errors=True)
    shutil.copytree(RECORDS, counts)
    if record is None:
        (counts / RECORD).unlink()
    else:
        (counts / RECORD).write_text(record)
    bound = (
        f"bwrap --bind / / --dev-bind /dev /dev --bind {counts} {RECORDS} tools/course.sh counts --check gemm_ceiling"
    )
    got, words = said(bound.split())
    check(what, verdict in words.split("\n") and got == (0 if verdict.startswith("ok ") else 1), got, words)


needs_sandbox("recorded counts", "bwrap --bind / / true")
last = TEXT.rstrip("\n").split("\n")[-1]
says("the record as it is", f"ok - {NAME}", TEXT)
another = re.sub(r"(?m)^(3,bf16,\d*),1024,", r"\1,1025,", TEXT)
says("another figure", f"not ok - {NAME} is not what is counted {AGAIN}", another)
too_many = TEXT + re.sub(r"^\d*", "9", last) + "\n"
says("a rung too many", f"not ok - {NAME} is not what is counted {AGAIN}", too_many)
says("another source", f"not ok - {NAME} is of another source {AGAIN}", re.sub("(?m)^# source: ", "# source: z", TEXT))
says("no record", f"not ok - {NAME} is missing {AGAIN}", None)
sys.exit(status())
