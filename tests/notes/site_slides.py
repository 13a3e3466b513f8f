"""The slides in Chinese are those in English: the same columns of slides, the same code, tables and pictures, each with
its words in Chinese, and no more of them than fits."""

import glob
import os
import re
import sys

from tap import check, status

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
from notes.blocks import Block  # noqa: E402
from slides import CHINESE, ENGLISH, Deck, Slide, first_sentences, look_of_code, paragraphs  # noqa: E402

HAN = re.compile(r"[\u3400-\u9fff]")


def decks() -> list[tuple[str, list[list[Slide]], list[list[Slide]]]]:
    found = []
    for folder in sorted(glob.glob("lecture[0-9][0-9]_*")):
        both = []
        for language in (ENGLISH, CHINESE):
            deck = Deck(language)
            deck.read(f"{folder}/{language.page}")
            both.append(deck.sections)
        found.append((folder, *both))
    return found


def kind(slide: Slide) -> str:
    """What a slide shows: its code, a table, a picture, or a mark of the notes."""
    if slide.title.startswith("`"):
        return "\n".join(slide.body)
    if any(line.startswith("|") for line in slide.body):
        return f"table of {sum(line.startswith('|') for line in slide.body)}"
    picture = re.match(r"!\[\]\((.*?)(\.zh)?\.svg\)", slide.body[0]) if slide.body else None
    if picture:
        return picture[1]
    for language in (ENGLISH, CHINESE):
        if slide.title in language.marks.values():
            return f"mark {list(language.marks.values()).index(slide.title)}"
    return "text"


def same(folder: str, english: list[list[Slide]], chinese: list[list[Slide]]) -> None:
    shapes = [[[kind(slide) for slide in column] for column in deck] for deck in (english, chinese)]
    differ = [
        (number, a, b)
        for number, (a, b) in enumerate(zip(*shapes, strict=False))
        if a != b or len(shapes[0]) != len(shapes[1])
    ]
    check(f"{folder}: {sum(map(len, english))} slides in both languages", not differ and len(english) > 3, *differ[:3])


def in_chinese(folder: str, deck: list[list[Slide]]) -> None:
    slides = [slide for column in deck for slide in column]
    titles = [slide.title.replace("Tensor Core", "张量核") for slide in slides if not slide.title.startswith("`")]
    left = [title for title in titles if not HAN.search(title)]
    check(f"{folder}: each title is in Chinese", not left, *left)
    said = [(slide, line) for slide in slides if kind(slide).startswith(("mark", "text")) for line in slide.body]
    lines = [line for _, line in said if re.search(r"[a-z]", line) and not line.startswith("```")]
    english = [line for line in lines if not HAN.search(line)]
    check(f"{folder}: what the slides say is in Chinese", not english, *english)
    shows = [line for slide in slides for line in slide.body if line.startswith("![") and ".zh.svg" not in line]
    check(f"{folder}: its pictures are in Chinese", not shows, *shows)
    keys = [note for slide in slides for note in [*slide.body, *slide.notes] if "<!--" in note]
    check(f"{folder}: no key of a block is shown", not keys, *keys)
    long = [line for _, line in said if not CHINESE.fits(line) and len(CHINESE.sentence.split(line)) > 2]
    check(f"{folder}: no more is said than fits", not long, *long)


def for_the_speaker(folder: str, deck: list[list[Slide]]) -> None:
    """The notes of the deck without the marks of Markdown, which HTML shows as they are."""
    said = [line for column in deck for slide in column for line in slide.lines("##") if line.startswith("<aside")]
    words = "".join(re.sub(r"<code>.*?</code>", "", line) for line in said)
    marks = re.findall(r"\*\*.{9}|`.{9}|<p>(?:&gt;|- ).{9}|&lt;code.{9}", words)
    check(f"{folder}: {len(said)} notes for the speaker without marks of Markdown", len(said) > 9 and not marks, *marks)


for name, *both in decks():
    same(name, *both)
    in_chinese(name, both[1])
    for_the_speaker(name, both[0])
    for_the_speaker(f"{name}, Chinese", both[1])
quoted = Block(1, ["> **A `b<c` *d*** 2 * e * f", "> <code>g</code> and *h*:", ">", "> - i", ">   j", "> 2. k"], True)
notes = Slide("", [], paragraphs(quoted)).lines("##")[4]
shown = "<p><strong>A <code>b&lt;c</code> <em>d</em></strong> 2 * e * f <code>g</code> and <em>h</em>:</p>"
shown += "<p>• i j</p><p>2. k</p>"
check("code, strong words, emphasis, lists and what is set apart", f">{shown}</aside>" in notes, notes)
text = "一" * 60 + "。" + "二" * 60 + "。" + "三" * 60 + "。"
check("whole sentences are shown", first_sentences(text, CHINESE) == "一" * 60 + "。" + "二" * 60 + "。", text)
check("what is announced is not", first_sentences("一二三。如下：" + "四" * 140 + "。", CHINESE) == "一二三。")
WIDE_LINE = "x" * 100
looks = [look_of_code(code) for code in (["x"] * 18, [WIDE_LINE], ["x"] * 19, [WIDE_LINE + WIDE_LINE], ["x"] * 27)]
check("code is as small as its lines are many or long", looks == ["", "small", "small", "smaller", "smaller"], *looks)
sys.exit(status())
