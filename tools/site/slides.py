"""Writes the source of the slides, one deck per lecture: `python3 tools/site/slides.py`. The English decks are made
from README.md, in build/slides-source, the Chinese ones from README.zh.md, in build/slides-source-zh.

The notes have the same marks in each section, and the slides follow them: the problem, the pictures, each piece of
code, the prediction, each table, why, the question. A slide has the first sentences of its text; the speaker's notes
have all of it.
"""

from __future__ import annotations

import glob
import html
import os
import re
import shutil
import sys
import unicodedata
from dataclasses import dataclass, field

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tools"))
from notes.blocks import Block, blocks  # noqa: E402

OUT = "build/slides-source"
WORDS = 45  # of text on a slide
COLUMNS = 6 * WORDS  # of Chinese, whose characters take two
# Lines of code on a slide and characters of its longest line, and how so many are shown.
CODE_LOOKS = [(18, 92, ""), (26, 120, "small"), (1000, 1000, "smaller")]
ROWS = {8: "", 1000: "many"}  # of a table
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
KEY = re.compile(r"<!-- en [0-9a-f]+ -->")  # of the English of a block in Chinese
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|`[^`]*`)*)\]\([^)]*\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]*)\)")
QUOTED = re.compile(r"^\s*>\s?", re.MULTILINE)  # the mark of a line that is set apart
ITEM = re.compile(r"(?:- |\d+\. )")
CODE = re.compile(r"`([^`]+)`|<code>(.*?)</code>")
WIDE = r"[\u3000-\u303f\u3400-\u9fff\uff00-\uff65]"


@dataclass(frozen=True)
class Language:
    """How the notes of a language mark what they say, and what the slides say themselves."""

    ending: str  # of the source's folder
    page: str
    mark: str  # a pattern, with a place for the marks
    marks: dict[str, str]  # and the titles of their slides
    question: re.Pattern[str]
    sentence: re.Pattern[str]  # where a sentence ends
    between: str  # two sentences
    colon: str
    titles: dict[str, str]

    def marked(self) -> re.Pattern[str]:
        return re.compile(self.mark.format("|".join(self.marks)))

    def fits(self, text: str) -> bool:
        """Is that no more than a slide holds?"""
        if self.between:
            return len(text.split()) <= WORDS
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text) <= COLUMNS


ENGLISH = Language(
    "",
    "README.md",
    r"\*\*({})\.\*\* *",
    {"The problem": "the problem", "A prediction": "a prediction", "Why": "why", "See it": "see it"},
    re.compile(r"<details><summary><b>Question\.</b>\s*(.*?)</summary>", re.DOTALL),
    re.compile(r"(?<=[.?!:])\s+(?=[A-Z0-9`*(])"),
    " ",
    ":",
    {
        "title": "CUDA, lecture by lecture",
        "slides": "Slides",
        "measured": "measured",
        "recorded": "recorded",
        "question": "question",
        "other": '<a href="zh/index.html" lang="zh-CN">中文</a>',
    },
)
CHINESE = Language(
    "-zh",
    "README.zh.md",
    r"\*\*({})\*\*：",
    {"问题": "问题", "预测": "预测", "原因": "原因", "动手看": "动手看"},
    re.compile(r"<details><summary><b>思考题</b>：\s*(.*?)</summary>", re.DOTALL),
    re.compile(r"(?<=[。？！：])"),
    "",
    "：",
    {
        "title": "CUDA 课程：一讲一讲地学",
        "slides": "幻灯片",
        "measured": "测量结果",
        "recorded": "记录下来的输出",
        "question": "思考题",
        "other": '<a href="../index.html" lang="en">English</a>',
    },
)


@dataclass
class Slide:
    title: str
    body: list[str]
    notes: list[str] = field(default_factory=list)
    look: str = ""  # a class of slides.css, for what is longer than most

    def lines(self, level: str) -> list[str]:
        body = ["````{container} " + self.look, *self.body, "````"] if self.look else self.body
        said = "".join(f"<p>{as_html(text)}</p>" for text in self.notes)
        aside = ["```{raw} html", f'<aside class="notes">{said}</aside>', "```", ""] if said else []
        return [f"{level} {self.title}", "", *body, "", *aside]


def look(count: int, of: dict[int, str]) -> str:
    return next(name for most, name in of.items() if count <= most)


def look_of_code(code: list[str]) -> str:
    longest = max(map(len, code), default=0)
    return next(name for lines, columns, name in CODE_LOOKS if len(code) <= lines and longest <= columns)


def plain(block: Block) -> str:
    """The text of a block on one line, without comments, links and pictures."""
    lines = QUOTED.sub("", "\n".join(block.text)).split("\n")
    text = PICTURE.sub("", COMMENT.sub("", " ".join(line.strip() for line in lines)))
    text = re.sub(rf"(?<={WIDE}) (?={WIDE})", "", LINK.sub(r"\1", re.sub(r" +", " ", text)))
    return text.strip()


def paragraphs(block: Block) -> list[str]:
    """The text of a block, each item of a list for itself."""
    parts: list[list[str]] = [[]]
    for line in QUOTED.sub("", "\n".join(block.text)).split("\n"):
        if parts[-1] and (ITEM.match(line) or not line):
            parts.append([])
        parts[-1].append(line)
    return [text for part in parts if (text := plain(Block(block.line, part, True)))]


def as_html(text: str) -> str:
    """A paragraph of the notes for the speaker: its code, strong words and emphasis as HTML."""
    code = [html.escape(found[1] or found[2]) for found in CODE.finditer(text)]
    text = html.escape(re.sub(r"^- ", "• ", CODE.sub("\0", text)))
    text = re.sub(r"\*\*(\S|\S.*?\S)\*\*(?!\*)", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(\S|\S[^*]*?\S)\*", r"<em>\1</em>", text)
    return re.sub("\0", lambda _: f"<code>{code.pop(0)}</code>", text)


def first_sentences(text: str, language: Language) -> str:
    """As many whole sentences as a slide holds, and one at least. None at the end announces what is elsewhere."""
    kept: list[str] = []
    for sentence in language.sentence.split(text):
        if kept and not language.fits(language.between.join([*kept, sentence])):
            break
        kept.append(sentence)
    if len(kept) > 1 and kept[-1].endswith(language.colon):
        kept.pop()
    return language.between.join(kept)


class Deck:
    def __init__(self, language: Language) -> None:
        self.language = language
        self.mark = language.marked()
        self.sections: list[list[Slide]] = []
        self.question = ""
        self.pictures: set[str] = set()

    def add(self, slide: Slide) -> None:
        self.sections[-1].append(slide)

    def say(self, block: Block) -> None:
        """More for the speaker's notes of the last slide."""
        if self.sections:
            self.sections[-1][-1].notes += paragraphs(block)

    def made(self, block: Block) -> None:
        """A generated part: code, or a table with its source below it."""
        inside = [line for line in block.text if not line.startswith("<!--")]
        if block.text[0].startswith("<!-- code") or block.text[0].startswith("<!-- listing"):
            fences = [i for i, line in enumerate(inside) if line.startswith("```")]
            code = inside[fences[0] : fences[-1] + 1]
            name = (
                block.text[0].split()[3] if block.text[0].startswith("<!-- code") else self.language.titles["recorded"]
            )
            below = paragraphs(Block(0, inside[fences[-1] + 1 :], True))
            self.add(Slide(f"`{name}`", code, below, look_of_code(code[1:-1])))
        else:
            rows = [LINK.sub("", line).replace("; *", "*") for line in inside]
            self.add(
                Slide(self.language.titles["measured"], rows, look=look(sum(row.startswith("|") for row in rows), ROWS))
            )

    def text(self, block: Block) -> None:
        first = block.text[0]
        mark = self.mark.match(first)
        pictures = PICTURE.findall("\n".join(block.text))
        question = self.language.question.search("\n".join(block.text))
        if question:
            self.question = COMMENT.sub("", " ".join(question[1].split()))
        elif self.question:
            fragment = ["```{revealjs-fragments}", first_sentences(plain(block), self.language), "```"]
            self.add(Slide(self.language.titles["question"], [self.question, "", *fragment], paragraphs(block)))
            self.question = ""  # what more the answer says is for the speaker
        elif mark:
            words = [self.mark.sub("", text) for text in paragraphs(block)]
            shown = first_sentences(self.mark.sub("", plain(block)), self.language)
            self.add(Slide(self.language.marks[mark[1]], [shown], words))
        elif not first.startswith(("    ", "<", "|")):
            self.say(block)
        for caption, file in pictures:
            self.pictures.add(file)
            self.add(Slide(caption, [f"![]({os.path.basename(file)})"]))

    def read(self, page: str) -> list[str]:
        """The deck as Markdown: a section of the notes is a column of slides."""
        title = ""
        with open(page, encoding="utf-8") as file:
            found = list(blocks([line for line in file.read().split("\n") if not KEY.fullmatch(line)]))
        for block in found:
            first = block.text[0]
            if first.startswith("# "):
                title = first[2:]
                self.sections.append([Slide(title, [])])
            elif first.startswith("## "):
                self.sections.append([Slide(re.sub(r"( \(`.*`\)|（`.*`）)$", "", first[3:]), [])])
            elif first.startswith("<!-- ") and not block.is_text and len(block.text) > 1:
                self.made(block)
            elif block.is_text and not first.startswith("#"):
                self.text(block)
        lines: list[str] = []
        for number, (head, *slides) in enumerate(self.sections):
            if number == 0 and head.notes:
                head.body = [first_sentences(head.notes[0], self.language)]
            if number and slides and slides[0].title == next(iter(self.language.marks.values())):
                head.body, head.notes = slides[0].body, [*head.notes, *slides[0].notes]
                slides = slides[1:]
            lines += head.lines("#" if number == 0 else "##")
            for slide in slides:
                lines += slide.lines("##" if number == 0 else "###")
        return lines


def written(language: Language) -> None:
    """The source of the decks of a language."""
    out = OUT + language.ending
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    names = []
    for page in sorted(glob.glob(f"lecture[0-9][0-9]_*/{language.page}")):
        deck = Deck(language)
        names.append(page[:9])
        os.makedirs(f"{out}/{names[-1]}")
        with open(f"{out}/{names[-1]}/index.md", "w", encoding="utf-8") as file:
            file.write("\n".join(deck.read(page)) + "\n")
        for picture in deck.pictures:
            shutil.copy(os.path.join(os.path.dirname(page), picture), f"{out}/{names[-1]}/")
    with open(f"{out}/index.md", "w", encoding="utf-8") as file:
        listed = "\n".join(f"- [{name}]({name}/index.md)" for name in names)
        file.write(f"# {language.titles['slides']}\n\n{language.titles['other']}\n\n{listed}\n")
    shutil.copytree("tools/site/slides", f"{out}/_static")
    shutil.copy("tools/site/slides_conf.py", f"{out}/conf.py")
    if language is CHINESE:
        with open(f"{out}/conf.py", "a", encoding="utf-8") as file:
            file.write(f'language = "zh_CN"\nproject = "{language.titles["title"]}"\n')


def main() -> int:
    os.chdir(TOP)
    for language in (ENGLISH, CHINESE):
        written(language)
    return 0


if __name__ == "__main__":
    sys.exit(main())
