"""The Chinese pages: what has changed in the English is found and nothing else, and no page here is older than it."""

import os
import sys
import tempfile

from notes import chinese
from tap import check, run_functions, status

TOP = os.getcwd()
ENGLISH = """# Title

A warp has <!--= a[b=1].c -->32<!--/--> threads.
Each thread adds.

<!-- code lab.cu add -->
```cuda
int i;

i++;
```

*from lab.cu*
<!-- end -->

```
make check

./run
```

- one
- two
"""
folder = tempfile.TemporaryDirectory()


def write(name: str, text: str) -> None:
    with open(os.path.join(folder.name, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def translated(english: str = ENGLISH) -> str:
    """README.zh.md as it is written to be translated, with Chinese in place of the English."""
    write("README.md", english)
    write("README.zh.md", "")
    os.chdir(folder.name)
    chinese.begin("README.md")
    text = chinese.read("README.zh.md")
    for of_english, of_chinese in [
        ("# Title", "# 标题"),
        ("A warp has", "一个线程束有"),
        (" threads.\nEach thread adds.", " 个线程。\n每个线程做一次加法。"),
        ("- one\n- two", "- 一\n- 二"),
    ]:
        text = text.replace(of_english, of_chinese)
    write("README.zh.md", text)
    return text


def found(english: str, of_chinese: str) -> list[str]:
    write("README.md", english)
    write("README.zh.md", of_chinese)
    os.chdir(folder.name)
    return list(chinese.problems("README.md"))


def test_a_translated_page_has_nothing_to_say() -> None:
    text = translated()
    assert found(ENGLISH, text) == [], found(ENGLISH, text)
    assert text.count("<!-- en ") == 3, text


def test_a_changed_paragraph_names_the_chinese_one() -> None:
    text = translated()
    line = text.split("\n").index("一个线程束有 <!--= a[b=1].c -->32<!--/--> 个线程。")
    said = found(ENGLISH.replace("adds", "multiplies"), text)
    assert said == [f"README.zh.md:{line}: older than README.md:3"], said


def test_a_changed_figure_does_not() -> None:
    assert found(ENGLISH.replace(">32<", ">33<"), translated()) == []


def test_a_changed_formula_does() -> None:
    assert len(found(ENGLISH.replace("b=1", "b=2"), translated())) == 1


def test_a_new_block_is_not_translated() -> None:
    said = found(ENGLISH.replace("```\nmake", "New.\n\n```\nmake"), translated())
    assert said == ["README.md:16: not translated"], said


def test_a_block_that_has_gone() -> None:
    said = found(ENGLISH.replace("- one\n- two\n", ""), translated())
    assert len(said) == 1 and said[0].endswith(": its English is gone"), said


def test_code_is_the_same_in_both() -> None:
    text = translated()
    assert len(found(ENGLISH, text.replace("./run", "./go"))) == 1
    assert len(found(ENGLISH, text.replace("code lab.cu add", "code lab.cu sub"))) == 1
    assert found(ENGLISH, text.replace("int i;", "int j;")) == []  # make notes fills it


def test_a_block_without_its_key() -> None:
    text = translated()
    key = next(line for line in text.split("\n") if line.startswith("<!-- en "))
    said = found(ENGLISH, text.replace(key + "\n", ""))
    assert any("without the key" in words for words in said), said
    assert found(ENGLISH, "[English](README.md)\n\n" + text) == []


def test_older_blocks_are_marked_and_only_these() -> None:
    text = translated()
    write("README.md", ENGLISH.replace("adds", "multiplies"))
    chinese.mark()
    marked = chinese.read("README.zh.md")
    assert marked.count(chinese.OLDER) == 1, marked
    assert chinese.OLDER + "\n一个线程束有" in marked, marked
    chinese.mark()
    assert chinese.read("README.zh.md") == marked
    write("README.md", ENGLISH)
    left = list(chinese.problems("README.md"))
    assert len(left) == 1 and "says that the block is older" in left[0], left
    chinese.mark()
    assert chinese.read("README.zh.md") == text
    assert not list(chinese.problems("README.md"))


def test_begin_keeps_what_is_translated() -> None:
    translated()
    write("README.md", ENGLISH.replace("# Title", "# New title"))
    chinese.begin("README.md")
    text = chinese.read("README.zh.md")
    assert "# New title" in text and "每个线程做一次加法" in text, text


def test_a_link_leads_to_the_chinese_page() -> None:
    links = "（[本页](README.md#a)、[本页](README.zh.md)、[别处](other.md)）"
    text = translated().replace("一个线程束有", f"一个线程束{links}有")
    line = next(number for number, words in enumerate(text.split("\n"), 1) if links in words)
    said = found(ENGLISH, text)
    assert said == [f"README.zh.md:{line}: leads to README.md, which is README.zh.md in Chinese"], said


def test_typography() -> None:
    wrongs = [
        "使用GPU",
        "第 3个",
        "对, 错",
        "对 : 错",
        "完了.",
        "内存(共享)",
        "内存(shared)",
        "内存 ，线程",
        "一份 跟踪",
    ]
    for wrong in wrongs:
        assert len(found("# T\n", f"<!-- en {chinese.english_blocks('# T')[0].key} -->\n{wrong}\n")) == 1, wrong
    for right in [
        "使用 GPU，第 3 个（共享）内存。",
        "见 `a(b),c`，[页](a.md)",
        "**线程束**（warp）：32 个",
        "比例 3:5",
        "| 内存（共享） | 第 3 讲。 |",
    ]:
        said = found("# T\n", f"<!-- en {chinese.english_blocks('# T')[0].key} -->\n{right}\n")
        assert said == [], (right, said)


def test_a_terms_english_is_said_once() -> None:
    os.makedirs(os.path.join(folder.name, "docs"), exist_ok=True)
    write(
        "docs/terms.zh.md",
        "| 英文 | 中文 | 来源 | 备注 |\n| --- | --- | --- | --- |\n| warp, lane | 线程束、束内线程 | | |\n",
    )
    text = translated().replace("个线程。\n", "个**束内线程**（lane）。\n束内线程（lane）与线程束（warp）。\n")
    line = next(number for number, words in enumerate(text.split("\n"), 1) if words.startswith("束内线程"))
    said = found(ENGLISH, text)
    os.remove("docs/terms.zh.md")
    assert said == [f"README.zh.md:{line}: 束内线程（lane） once more, as in line {line - 1}"], said


def main() -> int:
    run_functions(globals())
    os.chdir(TOP)
    for page in chinese.english_pages():
        if os.path.exists(chinese.chinese_of(page)):
            said = list(chinese.problems(page))
            check(f"{chinese.chinese_of(page)} is what {page} says", not said, *said)
    return status()


if __name__ == "__main__":
    sys.exit(main())
