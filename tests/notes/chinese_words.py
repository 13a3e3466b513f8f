"""What the programs say in Chinese.

Each message has its Chinese and none is taken for another; what changes is named; each exercise and each lab is told in
Chinese, in lines that fit.
"""

from __future__ import annotations

import glob
import os
import re
import subprocess
import tempfile
import unicodedata

from notes import lab_words, page_words, picture_words, texts, words
from tap import check, status

SAYS = """
#include <stdio.h>
#include "cpudevice/runtime/device/forms.h"
static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#define OTHERS(english, chinese) {english, chinese},
#include CATALOGUE
};
int main(void)
{
    char line[4096], out[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\\n")] = 0;
        puts(form_text(forms, sizeof forms / sizeof *forms, line, out, sizeof out));
    }
}
"""
TELLS = """
#include <stdio.h>
#include "tools/course/exercise_text.c"
#include "tools/course/say.c"
#include "tools/course/say_texts.c"
#include "tools/course/support.c"
char *lecture_title(const char *lecture) { return copy(lecture); }
int main(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3) {
        char *look = NULL, *content = strchr(argv[i + 1], '.') ? file_read(argv[i + 2], NULL) : NULL;
        Exercise e = {.lecture = argv[i], .number = argv[i + 1]};
        printf("\\f%s\\n", argv[i + 1]);
        if (content) {
            ExerciseText t = exercise_text(content);
            say_exercise(&e, &t);
            printf("%s\\n%s\\n%s\\n%d hints of %d points\\n", t.title, t.asked, t.after, t.hints.count, t.points);
            for (int k = 0; k < t.hints.count; k++)
                puts(t.hints.item[k]);
        } else {
            puts(say_lab(argv[i], argv[i + 1], &look));
            puts(look);
        }
    }
    for (char line[4096]; fgets(line, sizeof line, stdin);)
        printf("%d\\n%s", say_columns(line) - 1, say_broken(line, 20));
}
"""
SPEAKS = """
#include "tools/course/say.c"
#include "tools/course/support.c"
int main(void)
{
    for (char line[4096]; fgets(line, sizeof line, stdin);)
        fputs(say_words(line), stdout);
}
"""
PROGRESS = """
#include "tools/course/progress.c"
Grade exercise_grade(const Course *c, const Exercise *e) { return (Grade){0}; }
ExerciseText text_of(const Exercise *e) { return (ExerciseText){0}; }
int note_read(const char *what, const Exercise *e) { return 0; }
int points_earned(const ExerciseText *t, int passes, int stages) { return passes ? t->points : 0; }
int main(void)
{
    Exercise e[] = {{.lecture = "lecture03_cuda_basics", .number = "3.1"},
                    {.lecture = "lecture03_cuda_basics", .number = "3.2"},
                    {.lecture = "lecture05_shared_memory", .number = "5.1"}};
    Result r[] = {{.e = e, .text = {.points = 2}, .grade = {.state = STATE_PASSED}},
                  {.e = e + 1, .text = {.points = 3}, .grade = {.state = STATE_FAILED, .said = "2 wrong"}},
                  {.e = e + 2, .text = {.points = 3}, .grade = {.state = STATE_TODO}, .skipped = 1}};
    for (int i = 0; i < 3; i++)
        r[i].text.title = "";
    write_page("/dev/stdout", r, 3);
}
"""
folder = tempfile.TemporaryDirectory()


def path_of(name: str) -> str:
    return os.path.join(folder.name, name)


def said(catalogue: str, texts: list[str]) -> list[str]:
    """What the texts are in Chinese, by the programs' own code."""
    with open(path_of("says.c"), "w", encoding="utf-8") as file:
        file.write(SAYS)
    compiler = os.environ.get("CUCC_CC", "gcc")
    defined = f'-DCATALOGUE="{os.path.abspath(catalogue)}"'
    subprocess.run([compiler, "-I.", defined, path_of("says.c"), "-o", path_of("says")], check=True)
    answer = subprocess.run(
        [path_of("says")],
        input="\n".join(texts),
        capture_output=True,
        check=True,
        text=True,
    )
    return answer.stdout.split("\n")


def filled(row: words.Row) -> tuple[str, str]:
    """The row's English with a name or a number for each of its conversions, and what its Chinese must then be."""
    values: list[str] = []

    def value(conversion: re.Match[str]) -> str:
        number = len(values) + 41
        values.append(
            {"s": f"d_{number}", "x": f"{number}ab", "p": f"0x{number}ab", "c": "z"}.get(conversion[1], str(number))
        )
        return values[-1]

    english = re.sub(r"%[-0-9.lz*]*([a-z])", value, row.english).replace("%%", "%")
    chinese = re.sub(r"\{(\d)\}", lambda hole: values[int(hole[1]) - 1], row.chinese)
    for quoted, plain in (('\\"', '"'), ("\\n", "")):
        english, chinese = (
            english.replace(quoted, plain),
            chinese.replace(quoted, plain),
        )
    return english, chinese


def every_message_has_its_chinese() -> None:
    for catalogue in words.CATALOGUES:
        found = list(words.problems(catalogue))
        check(
            f"{catalogue.path} has all that is said, and nothing else",
            not found,
            *found,
        )


def no_message_is_taken_for_another() -> None:
    for catalogue in words.CATALOGUES:
        rows = [row for row in words.rows(catalogue.path) if "\\n" not in row.english]  # no text of many lines
        pairs = [filled(row) for row in rows]
        answers = said(catalogue.path, [english for english, _ in pairs])
        wrong = [
            f"{catalogue.path}:{row.line}: {english}: {answer}"
            for row, (english, chinese), answer in zip(rows, pairs, answers, strict=False)
            if answer.strip() != chinese.strip()
        ]
        check(
            f"each of the {len(rows)} rows of {catalogue.path} is understood",
            len(rows) > 20 and not wrong,
            *wrong,
        )


def a_grader_understands_what_it_says_and_quotes() -> None:
    """Of the rows that tools/grade puts together, each of its own is taken for no other."""
    parts = ["tools/course", "tools/grading", "cpudevice/checker/report", "cpudevice/compiler/front"]
    together = path_of("together.inc")
    with open(together, "w", encoding="utf-8") as file:
        for part in parts:
            with open(f"{part}/chinese.inc", encoding="utf-8") as catalogue:
                file.write(catalogue.read().replace('SAY("%s: %s", "{1}：{2}")', ""))
    rows = [row for row in words.rows("tools/grading/chinese.inc") if "\\n" not in row.english]
    answers = said(together, [filled(row)[0] for row in rows])
    wrong = [
        f"tools/grading/chinese.inc:{row.line}: {filled(row)[0]}: {answer}"
        for row, answer in zip(rows, answers, strict=False)
        if answer.strip() != filled(row)[1].strip()
    ]
    told = f"each of the grader's {len(rows)} rows is understood among those that it quotes"
    check(told, len(rows) > 90 and not wrong, *wrong)


def every_text_of_a_lab_has_its_chinese() -> None:
    found = list(words.lab_problems())
    check("the labs' catalogues have all that labs print, and nothing else", not found, *found)


def no_text_of_a_lab_is_taken_for_another() -> None:
    for path in words.LABS:
        own = words.rows(path)
        both = path_of("both.inc")
        with open(both, "w", encoding="utf-8") as file:
            for part in dict.fromkeys((words.LABS[0], path)):
                file.write(f'#include "{os.path.abspath(part)}"\n')
        answers = said(both, [filled(row)[0] for row in own])
        wrong = [
            f"{path}:{row.line}: {filled(row)[0]}: {answer}"
            for row, answer in zip(own, answers, strict=False)
            if answer.strip() != filled(row)[1].strip()
        ]
        check(f"each of the {len(own)} rows of {path} is understood", len(own) > 30 and not wrong, *wrong)


LAB = """
__global__ void kernel() { asm("mov.u32 no text, %0;"); }
static_assert(1, "a relation that only a compiler says");
static const LabRung rungs[] = {{1, "two blocks a row", NULL}, {2, "cuBLAS", NULL}};
static const Lab lab = {.title = "a title of labs.zh.md", .look = "in two "
                                                                  "parts"};
static int show(const LabOptions *o)
{
    fprintf(csv, "column,of a file\\n");
    Table *t = table_new("kernel|>bytes moved|~>of them");
    printf("\\n    a line of %d    and a part\\n    %s of both%s\\n", 1, "words", ""); // "no text"
    return lab_claim(1, "a claim (%d are not)", 2);
}
"""
LAB_TEXTS = [
    *("two blocks a row", "cuBLAS", "kernel", "bytes moved", "of them", "a line of %d", "and a part", "%s of both%s"),
    *("words", "a claim (%d are not)"),
]


def what_a_lab_prints_is_found() -> None:
    with open(path_of("lab.cu"), "w", encoding="utf-8") as file:
        file.write(LAB)
    found = [shown.text for shown in lab_words.shown_in(path_of("lab.cu"))]
    check("of a lab's source what it prints is found, and nothing else", found == LAB_TEXTS, *found)
    rows = {"two blocks a row", "kernel", "bytes moved", "a line of %d", "words", "a claim (%d are not)"}
    missing = [shown.text for shown in lab_words.missing([path_of("lab.cu")], rows, ["%s of both, and of them"])]
    check("a text without a row is named", missing == ["and a part"], *missing)
    hidden, whole = lab_words.is_joined("range", ["arranged as %s"]), lab_words.is_joined(", not %d", ["is %s, not %s"])
    check("no word is in the catalogue as a part of another", whole and not hidden)


def what_stands_for_a_conversion_is_put_into_chinese_too() -> None:
    catalogue = "cpudevice/checker/report/chinese.inc"
    pairs = {
        "writes 4 bytes of tile at byte 128": "写入 tile 第 128 字节起的 4 个字节",
        "reads 1 byte of global memory at byte 96 of the allocation": "读取这块全局内存第 96 字节起的 1 个字节",
        "updates (atomic) 4 bytes of shared memory at byte 0": "以原子操作更新共享内存第 0 字节起的 4 个字节",
        "read it, with no barrier in between": "读取了它，两次访问之间没有屏障",
        "race in global memory between blocks (read after write)": "全局内存里线程块之间的数据竞争（先写后读）",
        "256 bytes, malloc in a kernel at a.cu:3": "256 字节，核函数里的 malloc，位于 a.cu:3",
        "nobody says this  in a table": "nobody says this  in a table",
    }
    answers = said(catalogue, list(pairs))
    for (english, chinese), answer in zip(pairs.items(), answers, strict=False):
        check(f"in Chinese: {english}", answer == chinese, answer)


LIMITS = """
right numbers; but line 34 (global load) touches 8.5 sectors per request where 4 are possible: 2.12 times as many
 (limit: at most 1.5 times)
结果正确，但是第 34 行（全局内存加载）每个请求涉及 8.5 个扇区，而 4 个就够：是它的 2.12 倍（限值：至多 1.5 倍）
and 312 global loads and atomics, counted per warp (limit: at most 160)
而且全局内存加载和原子操作为 312 次，按线程束计（限值：至多 160）
and 16 global stores, counted per warp (limit: at least 20)
而且全局内存存储为 16 次，按线程束计（限值：至少 20）
and 90 barriers, counted per warp (limit: at most 80)
而且屏障为 90 次，按线程束计（限值：至多 80）
right numbers; but 12000 sectors of global loads (limit: at most 11000)
结果正确，但是全局内存加载的扇区数为 12000（限值：至多 11000）
and 3 calls of cudaMemcpy* (limit: at most 1)
而且 cudaMemcpy* 的调用次数为 3（限值：至多 1）
2 of 8 points. Next is stage 3, no bank conflicts:
2 / 8 分。下一步是第 3 阶段，没有存储体冲突：
"""


def what_a_limit_says_is_put_into_chinese() -> None:
    lines = LIMITS.replace("\n (", " (").strip().split("\n")
    answers = said("tools/course/chinese.inc", lines[::2])
    for english, chinese, answer in zip(lines[::2], lines[1::2], answers, strict=False):
        check(f"in Chinese: {english}", answer == chinese, answer)


def a_table_of_options_keeps_its_columns() -> None:
    with open(path_of("speaks.c"), "w", encoding="utf-8") as file:
        file.write(SPEAKS)
    flags = ["-std=c11", "-D_GNU_SOURCE", "-I.", "-w"]
    compiler = os.environ.get("CUCC_CC", "gcc")
    subprocess.run([compiler, *flags, path_of("speaks.c"), "-o", path_of("speaks")], check=True)
    lines = [
        "Usage: run add [OPTION...]",
        "      --csv=FILE             write the figures to FILE as well",
        "      --no-vendor            without NVIDIA's libraries (the sanitizers find fault with some of them)",
        "usage: ./run [lectureNN]        no such text",
        "    n = 31           WRONG: element 3 is 7, should be 30; 12 of 15 wrong",
        "       1  one pass   WRONG: row 8, column 1 was never written, should be 1; 3 of 6 wrong (2 never written)",
        "    rung  idea          check",
        "       2  1024 threads  WRONG: element 0 is 1, should be 0; 1 of 1 wrong",
        "    element   0   1   2",
        "    FAILED: n = 7: x[7] is past the end and is now 108; it was 107 (1 elements past the end changed)",
    ]
    expected = [
        "用法：run add [选项...]",
        "      --csv=FILE             同时把数据写入 FILE",
        "      --no-vendor            不用 NVIDIA 的库（compute-sanitizer 在其中一些库里",
        "                             也会查出错误）",
        "usage: ./run [lectureNN]        no such text",
        "    n = 31           错误：元素 3 是 7，应为 30；15 个中错 12 个",
        "       1  one pass   错误：第 8 行第 1 列从未写入，应为 1；6 个中错 3 个（2 个从",
        "                     未写入）",
        "    级    思路          检查",
        "       2  1024 个线程   错误：元素 0 是 1，应为 0；1 个中错 1 个",
        "    元素      0   1   2",
        "    未通过：n = 7：x[7] 在末尾之外，现在是 108，原来是 107（末尾之外有 1 个元素被改动）",
    ]
    said_lines = subprocess.run(
        [path_of("speaks")],
        input="\n".join(lines) + "\n",
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"COURSE_LANG": "zh"},
    ).stdout.splitlines()
    check(
        "a table's second column begins where it does in English, and is broken",
        said_lines == expected,
        *said_lines,
    )


def what_changes_is_named() -> None:
    with open(path_of("a.c"), "w", encoding="utf-8") as file:
        file.write('f("three bytes of %s"); g("a new sentence " "texts"); h(\'"\', "word"); // "not a text"\n')
    with open(path_of("chinese.inc"), "w", encoding="utf-8") as file:
        file.write('SAY("three bytes of %s", "{1}的三个字节")\nSAY("two bytes of %s", "{2}的,两个字节")\n')
        file.write('JOINED("a b", "甲")\n')
    catalogue = words.Catalogue(path_of("chinese.inc"), [path_of("a.c")], [path_of("a.c")], re.compile("^$"))
    found = [problem.replace(folder.name + "/", "") for problem in words.problems(catalogue)]
    expected = [
        "chinese.inc:2: said no longer: two bytes of %s",
        "chinese.inc:2: {2} of 1",
        "chinese.inc:2: English punctuation in a Chinese sentence: 的,",
        "a.c:1: not in ",
    ]
    good = len(found) == 4 and all(one.startswith(start) for one, start in zip(found, expected, strict=True))
    check(
        "an old text, a hole that is none, English punctuation and a new text are named",
        good,
        *found,
    )


def each_picture_has_its_chinese() -> None:
    found = list(picture_words.problems())
    check("each text of the pictures has its Chinese, and the Chinese pages show it", not found, *found)
    rows = picture_words.rows()
    check("there are rows of words with values", sum("{1}" in chinese for _, _, chinese in rows) > 100, len(rows))


SCRIPT = """
/* say`no text` */
const pattern = /`/g, n = say`Step ${a ? say`on ${b}` : "a sentence here"}. `; // "not a text"
box.style = `px ${"12"}`, text = said("a word"), more = say`two bytes${s} of ${name}`;
"""
TABLE = """const CHINESE = {
  "Step {1}. ": "第 {1} 步。",
  "a word": "一个,词",
  "two bytes{1} of {2}": "两个字节",
  "next step": "下一步",
  "gone": "没有了",
};
"""
MARKUP = '<title>no text</title><p title="back">next\n step</p><script>say`no text`</script><kbd>no text</kbd>'


def each_page_has_its_chinese() -> None:
    for page in page_words.PAGES:
        found = list(page_words.problems(page))
        check(
            f"{page.table} has all that the page says, and nothing else",
            not found,
            *found,
        )
    for name, text in (("a.js", SCRIPT), ("a.inc", TABLE), ("a.html", MARKUP)):
        with open(path_of(name), "w", encoding="utf-8") as file:
            file.write(text)
    page = page_words.Page(path_of("a.inc"), [path_of("a.js")], path_of("a.html"), re.compile("^$"))
    found = [problem.replace(folder.name + "/", "") for problem in page_words.problems(page)]
    expected = [
        "a.inc:3: English punctuation in a Chinese sentence: 个,",
        "a.inc:4: without {2}",
        "a.js:3: not in a.inc: on {1}",
        "a.js:3: not said: a sentence here",
        "a.html:1: not in a.inc: back",
        "a.inc:6: said no longer: gone",
    ]
    check(
        "what a page says that is not in its table is named, and what it says no longer",
        found == expected,
        *found,
    )


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def lines_fit(lines: list[str], most: int) -> list[str]:
    """Of broken lines: those that are too long though they could be broken, or that begin with a closing sign."""
    closing = tuple("，。：；）”、")
    return [
        line
        for line in lines
        if line.startswith(closing) or (columns(line) > most and re.search(r"[\u3400-\u9fff]", line))
    ]


def every_exercise_and_lab_is_told_in_chinese() -> None:
    with open(path_of("tells.c"), "w", encoding="utf-8") as file:
        file.write(TELLS)
    flags = ["-std=c11", "-D_GNU_SOURCE", "-I.", "-w"]
    subprocess.run(
        [
            os.environ.get("CUCC_CC", "gcc"),
            *flags,
            path_of("tells.c"),
            "-o",
            path_of("tells"),
        ],
        check=True,
    )
    exercises = sorted(glob.glob("solutions/lecture*/ex*.cu"))
    labs = [path for path in sorted(glob.glob("lecture*/*.cu")) if texts.lab(path)]
    arguments = []
    for path in exercises + labs:
        named = texts.exercise(path) if path in exercises else texts.lab(path)
        arguments += [
            os.path.dirname(path).removeprefix("solutions/"),
            named.split()[1],
            path,
        ]
    lines = ["一二三四五，六七八九十。", "abc 一个线程束有 32 个线程，（甲）。"]
    folded = ["一二三四五，六七八九\n十。", "abc 一个线程束有 32\n个线程，（甲）。"]
    expected = "\n".join(f"{columns(line)}\n{parts}" for line, parts in zip(lines, folded, strict=True)).split("\n")
    answer = subprocess.run(
        [path_of("tells"), *arguments],
        input="\n".join(lines) + "\n",
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"COURSE_LANG": "zh"},
    ).stdout
    parts = [part.split("\n") for part in answer.split("\f")[1:]]
    last = parts[-1]
    broken = last[-7:-1]
    parts[-1] = last[:-7]
    check(
        "all are told",
        len(parts) == len(exercises) + len(labs) and len(labs) > 40,
        len(parts),
    )
    english = [f"{part[0]}: {line}" for part in parts for line in part[1:2] if not re.search(r"[\u3400-\u9fff]", line)]
    check("each title is Chinese", not english, *english)
    hints = {part[0]: line for part in parts for line in part if " hints of " in line}
    wrong = [
        path
        for path in exercises
        for text in [texts.exercise(path)]
        if hints[text.split()[1]].split()[0] != str(len(re.findall(r"^Hint \d", text, re.MULTILINE)))
    ]
    check("each exercise has as many hints as in English", not wrong, *wrong)
    long = [f"{part[0]}: {line}" for part in parts for line in lines_fit(part[1:], 76)]
    check(
        "no line is wider than 76 columns, and none begins with a closing sign",
        not long,
        *long,
    )
    check("a Chinese character takes two columns", broken == expected, *broken)


def the_page_of_exercises_is_chinese() -> None:
    with open(path_of("progress.c"), "w", encoding="utf-8") as file:
        file.write(PROGRESS)
    sources = [f"tools/course/{n}.c" for n in ("course", "support", "process", "exercise_text", "say", "say_texts")]
    command = [
        os.environ.get("CUCC_CC", "gcc"),
        "-std=c11",
        "-D_GNU_SOURCE",
        "-I.",
        "-w",
        path_of("progress.c"),
    ]
    subprocess.run([*command, *sources, "-o", path_of("progress")], check=True)
    environment = os.environ | {"COURSE_LANG": "zh"}
    page = subprocess.run(
        [path_of("progress")],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
    ).stdout
    shown = re.findall(r"[^<>]+", re.sub(r"<style>.*?</style>|<[^>]*>", "<>", page, flags=re.DOTALL))
    english = [text for text in shown if re.search(r"[a-z]{3}", text)]
    said = ("练习：2 / 8 分", "第 3 讲：CUDA 基础", "2 处错误", "待做，已跳过")
    missing = [text for text in said if text not in "".join(shown)]
    check(
        "the page of make exercises is in Chinese",
        not english and not missing and 'lang="zh-CN"' in page,
        page,
    )


SHELL = """
die() { echo "script: $*" >&2; exit 2; }
[ -d a ] || die "no folder here"
[ -d b ] || die "$(say "no folder here" \\
    "这里没有目录")"
echo 'a -b c'
"""


def what_scripts_say_is_named() -> None:
    with open(path_of("a.sh"), "w", encoding="utf-8") as file:
        file.write(SHELL)
    found = list(words.script_problems(path_of("a.sh")))
    check("a script's line without Chinese is named", [one.count("no folder") for one in found] == [1], *found)
    found = [one for path in words.SCRIPTS for one in words.script_problems(path)]
    check("the Makefile and what a student runs say all in Chinese too", not found, *found)


def make_help_names_the_same() -> None:
    named = []
    for language in ("en", "zh"):
        command = ["make", "--no-print-directory", "DEVICE=cpu", "help"]
        environment = os.environ | {"COURSE_LANG": language, "MAKEFLAGS": ""}
        answer = subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout
        named.append(
            (
                set(re.findall(r"make [-A-Za-z=.|]+", answer)) - {"make alone"},
                len(answer.split("\n")),
            )
        )
    check(
        "make help names the same in both languages",
        named[0] == named[1],
        named[0][0] ^ named[1][0],
        named,
    )


every_message_has_its_chinese()
every_text_of_a_lab_has_its_chinese()
what_a_lab_prints_is_found()
no_text_of_a_lab_is_taken_for_another()
each_page_has_its_chinese()
each_picture_has_its_chinese()
what_scripts_say_is_named()
make_help_names_the_same()
the_page_of_exercises_is_chinese()
every_exercise_and_lab_is_told_in_chinese()
no_message_is_taken_for_another()
a_grader_understands_what_it_says_and_quotes()
what_stands_for_a_conversion_is_put_into_chinese_too()
what_a_limit_says_is_put_into_chinese()
a_table_of_options_keeps_its_columns()
what_changes_is_named()
raise SystemExit(status())
