"""The Chinese site has exercises and labs in Chinese: what is asked, limits, hints and what is said after a pass.

The pages are written by tools/site as make site writes them, into a folder of their own.
"""

import glob
import importlib.util
import os
import re
import sys
import tempfile

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
try:
    import told
    import tree
    from markdown import one_line
except ImportError as missing:
    tap.skip(f"the site's pages of exercises: {missing}")
    sys.exit(0)
spec = importlib.util.spec_from_file_location("site_pages", "tools/site/__main__.py")
pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pages)

# Not by git, which lists nothing in the tree that a mutant is tried in.
PLACES = ("*.md", "docs/*.md", "lecture*/**", "solutions/**", "results/**")
FILES = tuple(sorted(name for place in PLACES for name in glob.glob(place, recursive=True) if os.path.isfile(name)))
tree.tracked = lambda: FILES

HAN = r"[\u3400-\u9fff]"
FOLDED = r"<details><summary>(.*?)</summary>\n\n(.*?)\n\n</details>"


def written(site: pages.Site, name: str) -> str:
    path = os.path.join(site.out, (pages.page_of(name) or "") + ".md")
    with open(path, encoding="utf-8") as file:
        return file.read()


def exercises(english: pages.Site, chinese: pages.Site) -> None:
    wrong = []
    for name in pages.exercises():
        for site in (english, chinese):
            pages.exercise(site, name)
        ours, theirs = written(chinese, name), written(english, name)
        hints, of_english = re.findall(FOLDED, ours, re.S), re.findall(FOLDED, theirs, re.S)
        number = os.path.basename(theirs.split("\n", 1)[0].removeprefix("# ").split()[0])
        head, asked = re.match(r"# (\S+ [^\n]*)\n\n(.*?)<details>", ours, re.S).groups()
        counts = [re.findall(r"^ +[a-z].* [<>]= [\d.]+$", text, re.M) for text in (ours, theirs)]
        if not re.match(rf"{re.escape(number)} .*（\d+ 分）$", head) or not re.search(HAN, asked.split("\n\n")[0]):
            wrong.append(f"{name}: {head}\n{asked[:200]}")
        if len(hints) != len(of_english) or not all(re.search(rf"{HAN}|。", body) for _, body in hints):
            wrong.append(f"{name}: {len(hints)} of {len(of_english)} hints, or one in English")
        named = [re.findall(rf"[`>]{re.escape(name)}[`<]", text.replace("\\", "")) for text in (ours, theirs)]
        if list(map(len, named)) != [1, 1]:
            wrong.append(f"{name}: a page has its name more than once, or not")
        if counts[0] != counts[1]:
            wrong.append(f"{name}: {len(counts[0])} of {len(counts[1])} limits")
    all_of_them = len(pages.exercises()) == len(glob.glob("solutions/lecture*/ex*.cu"))
    words = f"{len(pages.exercises())} exercises are asked in Chinese, with their hints and limits"
    check(words, all_of_them and not wrong, *wrong)


def labs(chinese: pages.Site) -> None:
    wrong = []
    for name in pages.labs():
        pages.lab(chinese, name)
        said, _, rest = written(chinese, name).partition("<details>")
        source = rest.partition("</summary>")[2].partition("</details>")[0]
        if len(re.findall(rf"^.*{HAN}.*$", said, re.M)) < 2 or len(source) < 40 or re.search(HAN, source):
            wrong.append(f"{name}: {said[:200]}")
    words = f"{len(pages.labs())} labs say in Chinese what they are, and the source's words are there"
    check(words, len(pages.labs()) == len(glob.glob("lecture*/*.cu")) and not wrong, *wrong)


def lines() -> None:
    wrong = []
    for more in range(40):
        long = "  1. " + "甲" * more + "，乙丙丁 for (i = 0; i < n; i++)" * 5 + "（戊）。"
        parts = told.folded(long)
        widths = [sum(2 if re.match(r"[\u3000-\uffef]", c) else 1 for c in part) for part in parts]
        kept = re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", long)
        hanging = all(part.startswith("     ") for part in parts[1:])
        bare = [part for part in parts if part.lstrip()[0] in "，。）"]
        if not kept or not hanging or bare or max(widths) > 82:
            wrong.append("\n".join(parts))
    check("a long line in columns is folded", not wrong, *wrong[:2])
    joined = one_line("一个线程束，\n32 个线程；\n有屏障\n  的核函数\nand more")
    check(
        "lines of Chinese are joined without a blank",
        joined == "一个线程束，\n32 个线程；有屏障的核函数\nand more",
        joined,
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        english, chinese = (pages.Site(os.path.join(folder, language), language) for language in ("en", "zh"))
        exercises(english, chinese)
        labs(chinese)
    lines()


main()
sys.exit(tap.failed)
