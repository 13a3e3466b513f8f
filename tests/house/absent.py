"""What a case says that a program must not print is something that it could print.

A case of cpudevice/tests (harness/cases.sh says how it is written) forbids a text with LACKS, or with COUNT: 0. If the
message is reworded and the case keeps the old words, the case can no longer fail. So each piece of two words or more in
such a line must be in a message of the sources, or be what another case asks for with SAYS, MATCHES or COUNT.
"""

import glob
import re
import sys

from tap import check, status

LINE = re.compile(r"^ *(?://|/\*|\*|#) (SAYS|MATCHES|LACKS|COUNT): (.*?)(?: *\*/)?$", re.MULTILINE)
PARTS = ("cpudevice", "common", "tools", "lecture*")
SUFFIXES = (".c", ".h", ".cu", ".cuh", ".cpp", ".py", ".sh", ".awk", ".cases")


def files(folder: str) -> list[str]:
    return [path for path in glob.glob(folder + "/**", recursive=True) if path.endswith(SUFFIXES)]


def read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def pieces(pattern: str) -> list[str]:
    """The literal parts of a basic regular expression that have two words or more; {line TEXT} is a number."""
    parts = re.split(r"\{line [^}]*\}|[][^$*.\\]+", pattern)
    return [one.strip() for one in parts if re.search(r"[^\W\d]+ +[^\W\d]+", one)]


def forbids(key: str, text: str) -> bool:
    return key == "LACKS" or (key == "COUNT" and text.startswith("0 "))


lines = [(path, key, text) for path in files("cpudevice/tests") for key, text in LINE.findall(read(path))]
forbidden = [(path, text.removeprefix("0 ")) for path, key, text in lines if forbids(key, text)]
asked = "\n".join(text for _, key, text in lines if not forbids(key, text))
sources = "\n".join(read(path) for part in PARTS for path in files(part) if not path.startswith("cpudevice/tests/"))
messages = re.sub(r'"\s*\n\s*"', "", sources) + asked  # a literal in two parts is one

for path, text in forbidden:
    unknown = [one for one in pieces(text) if one not in messages]
    check(
        f"{path}: {text}",
        not unknown,
        *(f"no source prints '{one}'" for one in unknown),
    )
check("there are such lines", len(forbidden) > 0)
sys.exit(status())
