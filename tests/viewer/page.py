"""The viewer's page in a real browser: its numbers are the counters', stepping forward and back is exact, findings
stand at both lines, nothing is fetched and nothing runs that must not. In TAP. Arguments: the folder for what is
written, then either "planted", the folder of the tests' own programs and, for one part of the tests, its name
(check_planted), or labs with their options; all built with cucc --check."""

import os
import re
import subprocess
import sys
import time

from counters import counted, same
from playwright.sync_api import sync_playwright
from tap import check, status

LONGEST_OPEN_S, LARGEST_PAGE = 2.0, 5 << 20
ROWS_TIMES_COLUMNS = 32 * 96
# Of the launch, from the counters' sums that the page holds; and of the recorded steps, from their addresses.
OWN_SUMS = """() => {
  const names = ["requests", "sectors", "ideal", "lanes", "instructions", "wavefronts", "conflicts"];
  const blocks = data.blocks.map((_, k) => recording.block(k).sums());
  return recording.sites.map((s, i) => ({kind: s.kind, shared: s.shared,
    told: Object.fromEntries(names.map((n, k) => [n, s.sums[k]])),
    own: Object.fromEntries(names.map(n => [n, blocks.reduce((sum, b) => sum + b[i][n], 0)]))}));
}"""
STATE = """() => ["words", "hardware", "arrays", "threads"].map(id => document.getElementById(id).innerHTML)
    .join("\\n") +
  [...document.querySelectorAll("#source tr.here")].map(r => r.id)"""


def run(program, args, page, **settings):
    env = dict(os.environ, CUDA_CPU_VIEW=page, **settings)
    return subprocess.run([program, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Pages:
    """Opens pages; keeps what must not happen: errors of scripts, and requests for anything but the page."""

    def __init__(self, browser):
        self.browser, self.wrong, self.url, self.shown = browser, [], "", {}

    def cpu_s(self, path):
        """Processor time of the page's main thread until it is open: a busy machine adds nothing to it."""
        context = self.browser.new_context(viewport={"width": 1600, "height": 1000})
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto("file://" + os.path.abspath(path))
        page.wait_for_selector("#words b")
        metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
        context.close()
        return metrics["TaskDuration"]

    def new_page(self, width, height, scheme):
        page = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
        page.on("pageerror", lambda e: self.wrong.append(f"script error: {e}"))
        page.on("console", lambda m: self.wrong.append(m.text) if m.type == "error" else None)
        page.on("request", lambda r: self.fetched(r.url))
        return page

    def fetched(self, url):
        if not url.startswith((self.url, "about:", "blob:")):
            self.wrong.append(f"fetched {url}")

    def open(self, path, width=1600, height=1000, scheme="light", where=""):
        """Shows the file in the one page of this size and scheme: to begin a new one takes Chromium as long again."""
        size = width, height, scheme
        page = self.shown[size] = self.shown.get(size) or self.new_page(*size)
        page.goto("about:blank")  # else a further part of the same file would not be loaded anew
        self.url = "file://" + os.path.abspath(path)
        page.goto(self.url + where)
        page.wait_for_selector("#words b")
        return page


def small_launch(page):
    """The last launch of so few blocks that all are recorded, if the program has any with more than one warp."""
    return page.evaluate("""() => { let best = 0; data.launches.forEach((l, i) => {
        const blocks = l[1][0] * l[1][1] * l[1][2];
        if (blocks <= 3 && (!best || blocks >= 2)) best = i + 1; }); return best; }""")


def check_counts(pages, folder, program, args):
    name = " ".join([os.path.basename(program), *args])
    stem = os.path.join(folder, re.sub(r"\W+", "_", name))
    html, table = stem + ".html", stem + ".csv"
    ran = run(program, args, html, CUDA_CPU_COUNTERS=table, CUDA_CPU_VIEW_LAUNCH="largest")
    if ran.returncode or not os.path.exists(html):
        return check(f"{name}: runs", False, ran.stdout[-300:])
    size = os.path.getsize(html)
    check(f"{name}: the page is under 5 MB", size < LARGEST_PAGE, f"{size} bytes")
    start = time.monotonic()
    page = pages.open(html)
    took = time.monotonic() - start
    if took >= LONGEST_OPEN_S:  # the machine may be busy with other tests
        took = pages.cpu_s(html)
    check(f"{name}: the page opens within 2 s", took < LONGEST_OPEN_S, f"{took:.2f} s")
    why = same(page.evaluate(OWN_SUMS), "told", counted(table, page.evaluate("launch.number")))
    check(f"{name}: the page's sums of the launch are the counters'", not why, why)
    rows = page.evaluate(
        "[...document.querySelectorAll('#source tr.counted')]"
        ".reduce((a, r) => [a[0] + +r.dataset.sectors, a[1] + +r.dataset.conflicts], [0, 0])"
    )
    told = page.evaluate(
        "recording.sites.filter(s => s.line).reduce((a, s) => [a[0] + s.sums[1], a[1] + s.sums[6]], [0, 0])"
    )
    check(f"{name}: and stand beside the source", rows == told and sum(rows) > 0, f"{rows} and {told}")
    check_steps(page, name)
    launch = small_launch(page)
    if launch:
        run(program, args, html, CUDA_CPU_COUNTERS=table, CUDA_CPU_VIEW_LAUNCH=str(launch))
        page = pages.open(html)
        sums, left = page.evaluate(OWN_SUMS), page.evaluate("data.blocks.reduce((n, b) => n + b.left, 0)")
        why = same(sums, "own", counted(table, launch)) if left == 0 else f"{left} instructions were left out"
        check(
            f"{name}: what the page makes of each step of launch {launch} adds up to the counters",
            not why and any(s["own"]["lanes"] for s in sums),
            why,
        )


def check_steps(page, name):
    count = page.evaluate("block.count")
    ok = True
    for start in sorted({0, count // 3, count // 2, max(0, count - 4)}):
        page.evaluate(f"go({start})")
        before = page.evaluate(STATE)
        here = page.evaluate("step")
        moved = min(3, count - 1 - here)
        for _ in range(moved):
            page.keyboard.press("ArrowRight")
        ok &= page.evaluate("step") == here + moved
        for _ in range(moved):
            page.keyboard.press("ArrowLeft")
        ok &= page.evaluate(STATE) == before
        page.evaluate(f"go({count - 1})")
        page.evaluate("history.back")  # a link names the step: the same state without the way there
        page.evaluate(f"location.hash = '#block={page.evaluate('block.index')}&step={here}'")
        page.wait_for_function(f"step === {here}")
        ok &= page.evaluate(STATE) == before
    check(f"{name}: stepping forward and back, and a link, lead to the same state", ok)


def check_findings(pages, folder, program):
    for args, kind, lines in ([], "race", [8, 9]), (["beyond"], "out-of-bounds", [18]):
        html = os.path.join(folder, f"{kind}.html")
        run(program, args, html)
        page = pages.open(html)
        found = page.evaluate("data.findings.map(f => f.kind)")
        check(f"{kind}: it is on the page", any(kind in f or f in kind for f in found), str(found))
        check(f"{kind}: the page opens where it happens", page.evaluate("marksHere().length > 0"))
        marked = page.evaluate("[...document.querySelectorAll('#source tr.found')].map(r => +r.id.split('_')[1])")
        check(f"{kind}: marked at its lines", sorted(marked) == lines, str(marked))
        buttons = page.locator("#findings button")
        reached = []
        for i in range(buttons.count()):
            buttons.nth(i).click()
            reached.append(page.evaluate("block.line(step)[1]"))
        check(f"{kind}: each access has its step, at its line", sorted(reached) == lines, str(reached))
        circles = page.locator("#arrays circle.mark").count()
        check(f"{kind}: the element is circled", circles > 0)
    return html


def check_words(pages, folder, program):
    """Text of the program that looks like markup: in the source, in the kernel's name, in the file's name."""
    html = os.path.join(folder, "words.html")
    run(program, [], html)
    page = pages.open(html)
    page.keyboard.press("End")
    check("a <script> in a string does not run", page.evaluate("window.hacked === undefined"))
    shown = page.evaluate("document.getElementById('source').textContent")
    check("and is shown as it stands", "</script><script>window.hacked = 1</script>" in shown)
    with open(html) as f:
        inside = f.read().split('id="data">')[1].split("</script>")[0]
    check("the page's data holds no '<'", "<" not in inside)
    run(program, ["beyond"], html)
    page = pages.open(html)
    check(
        "a '<' in a kernel's name is shown", page.inner_text("#kernel") == "beyond(box<1>*)", page.inner_text("#kernel")
    )


VALUES = """() => { const wrong = []; let seen = 0;
  for (let k = 0; k < data.blocks.length; k++) { const b = recording.block(k);
    for (let s = 0; s < b.count; s++) { if (b.kind[s] !== ACCESS) continue;
      const a = b.array(s), at = b.addresses(s);
      for (const l of lanesOf(b.active[s])) {
        const e = (at[l] - a.base) / 4, value = +valueText("float", b.bytes(s, l, 0, 4)),
              r = Math.floor(e / 32), c = e % 32;
        const want = a.name === "in" ? e : a.name === "out" ? c * 96 + r : r * 96 + b.at[0] * 32 + c;
        seen++;
        if (value !== want) wrong.push(`${b.elementName(a, e)} is ${value}, not ${want}`); } } }
  return [seen, wrong.slice(0, 3)]; }"""


def check_arrays(pages, folder, program):
    """The matrix that small.cu turns: names, shapes and each value that was read or written."""
    html = os.path.join(folder, "small.html")
    run(program, [], html)
    page = pages.open(html)
    shapes = page.evaluate("recording.arrays.map(a => [a.name, a.type, a.row]).sort()")
    check(
        "arrays have their parameters' names, types and rows",
        shapes == [["in", "float", 96], ["out", "float", 32], ["tile", "float", 32]],
        str(shapes),
    )
    seen, wrong = page.evaluate(VALUES)
    check(
        "each lane's value is what it read or wrote",
        seen == 4 * ROWS_TIMES_COLUMNS and not wrong,
        f"{seen} seen, {wrong}",
    )
    lines = page.evaluate("[...new Set(block.barriers.map(s => block.line(s)[1]))]")
    check("the barrier stands at its line", lines == [14], str(lines))
    hover = page.locator("#arrays > div[data-array] svg").first.bounding_box()
    page.mouse.move(hover["x"] + 60, hover["y"] + 40)
    check(
        "pointing at an element tells its value", page.locator("#tip").is_visible() and "=" in page.inner_text("#tip")
    )


def check_constant(pages, folder, program):
    """small.cu's weigh: each lane reads the same word, then one of four."""
    html = os.path.join(folder, "constant.html")
    run(program, ["constant"], html)
    page = pages.open(html)
    fetches = page.evaluate(
        """[...Array(block.count).keys()].filter(s => block.array(s)?.memory === "constant")
        .map(s => [block.line(s)[1], block.work(s).fetches.length])"""
    )
    check(
        "reads of constant memory: one fetch for each address that differs",
        fetches == [[41, 1], [41, 1], [42, 4], [42, 4]],
        str(fetches),
    )
    shape = page.evaluate("recording.arrays.filter(a => a.memory === 'constant').map(a => [a.name, a.type, a.row])")
    check("the constant array has its name, type and row", shape == [["weights", "float", 4]], str(shape))
    page.evaluate("go(2)")
    check("and a picture", "4 fetches" in page.inner_text("#hardware"))


def check_async(pages, folder, program):
    """small.cu's stages: two asynchronous copies of each of 64 threads; the first wait leaves the second in flight."""
    html = os.path.join(folder, "async.html")
    run(program, ["async"], html, CUDA_CPU_VIEW_ROWS="stage=16,in=64")
    page = pages.open(html)
    rows = page.evaluate("recording.arrays.filter(a => a.told).map(a => [a.name, a.row]).sort()")
    check("rows are as long as CUDA_CPU_VIEW_ROWS says", rows == [["in", 64], ["stage", 16]], str(rows))
    flying = page.evaluate("""() => { const stage = recording.arrays.find(a => a.name === "stage"), seen = {};
        for (let s = 0; s < block.count; s++)
          seen[block.line(s)[1]] = block.inFlight(stage, s).length; return seen; }""")
    check(
        "asynchronous copies are in flight from their line to their wait's",
        flying == {"50": 64, "52": 128, "54": 64, "55": 64, "56": 0, "57": 0},
        str(flying),
    )
    words = page.evaluate(
        """[...Array(block.count).keys()].filter(s => recording.sites[block.site[s]]?.async).map(s => block.words(s))"""
    )
    check(
        "and each names the other",
        any("it is waited for at line 54" in w for w in words) and any("it began at line 52" in w for w in words),
        str(words[:3]),
    )
    page.evaluate("go(8)")
    check("what is in flight is drawn", "64 elements in flight" in page.inner_text("#arrays"))
    bad = run(program, ["async"], html, CUDA_CPU_VIEW_ROWS="stage")
    check("rows that are none are refused", bad.returncode == 2 and "NAME=NUMBER" in bad.stdout, bad.stdout[:200])


def check_still(folder, program):
    """The same picture without a browser, where node or qjs is there."""
    if not any(os.access(os.path.join(d, e), os.X_OK) for d in os.environ["PATH"].split(":") for e in ("node", "qjs")):
        return print("ok # SKIP still pictures: neither node nor qjs is here")
    svg = os.path.join(folder, "banks.svg")
    ran = run(program, [], svg, CUDA_CPU_VIEW_SVG="16:banks")
    words = open(svg).read() if os.path.exists(svg) else ran.stdout
    check(
        "a still picture of the banks",
        words.startswith("<svg") and "31 extra turns" in words and "prefers-color-scheme" in words,
        words[:200],
    )
    ran = run(program, [], svg, CUDA_CPU_VIEW_SVG="3")
    check(
        "a line without a step is refused",
        ran.returncode == 2 and "line 3 has no step" in ran.stdout and not os.path.exists(svg),
        ran.stdout[:200],
    )


# What the page says, by block, at each step whose sentence is another but for its numbers, and at the last: its texts,
# titles and labels, without code and the program's own names. (A page said no more in all its 387 steps.) A link to
# each, which nobody reads here, would take half the time.
SAID = """() => { history.replaceState = () => {};
  const all = new Set(), keep = s => all.add(s.replace(/\\s+/g, " ").trim());
  const look = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      if (!texts.currentNode.parentNode.closest("script, style, .code, #kernel, #lanes")) keep(texts.currentNode.data);
    for (const e of document.querySelectorAll("[title], [aria-label]")) keep(e.title + " " + e.ariaLabel); };
  for (let k = 0; k < data.blocks.length; k++) {
    choose(k);
    for (let s = 0, seen = new Set(); s < block.count; s++) {
      const kind = block.words(s).replace(/\\d+/g, "");
      if (seen.has(kind) && s < block.count - 1) continue;
      seen.add(kind); go(s); look();
    }
  }
  return [...all]; }"""


def check_chinese(pages, folder):
    """With COURSE_LANG=zh: no sentence is left in English, and nothing sticks out."""
    for name, *args in ["small"], ["small", "mixed"], ["small", "constant"], ["small", "async"], ["planted"]:
        html = os.path.join(folder, f"chinese_{name}_{''.join(args)}.html")
        run(os.path.join(folder, name), args, html, COURSE_LANG="zh")
        page = pages.open(html, 390, 844)
        english = [s for s in page.evaluate(SAID) if re.search(r"[a-z]{3,}[,:;]? +[a-z]{3,}", s)]
        check(f"{' '.join([name, *args])}: all is said in Chinese", not english, "\n".join(english[:9]))
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        check(f"{' '.join([name, *args])}: nothing sticks out in Chinese", over <= 0, f"{over} pixels")
        if html.endswith("small_.html"):
            words = page.evaluate("recording.block(0).words(40)")
            good = words == "线程束 0：全部 32 个束内线程写入 tile，每个 4 字节（共享内存）：存储体 1 趟，没有冲突。"
            check("a step's names and numbers are in their places in Chinese", good, words)


SMALLEST_TEXT = """() => { let least = 99; for (const e of document.querySelectorAll("body *")) {
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length ||
      /SCRIPT|STYLE/.test(e.tagName)) continue;
  const svg = e.closest("svg"), scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  least = Math.min(least, parseFloat(getComputedStyle(e).fontSize) * scale); } return least; }"""


def check_layout(pages, program):
    html = program + "_layout.html"
    run(program, [], html)
    for width, height, scheme in (390, 844, "dark"), (390, 844, "light"), (1600, 1000, "dark"), (1024, 768, "light"):
        page = pages.open(html, width, height, scheme)
        name = f"{width} pixels, {scheme}"
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        check(f"{name}: nothing sticks out", over <= 0, f"{over} pixels")
        least = page.evaluate(SMALLEST_TEXT)
        check(f"{name}: no text under 11 px", least >= 11, f"{least} px")
        check(
            f"{name}: the browser's colours",
            page.evaluate("document.documentElement.dataset.theme === 'dark'") == (scheme == "dark"),
        )


def check_planted(pages, folder, programs, part="all"):
    """The tests' own programs: one part of what is asked of them, or all."""
    planted, small = os.path.join(programs, "planted"), os.path.join(programs, "small")
    parts = {
        "counts": lambda: [check_counts(pages, folder, small, args) for args in ([], ["mixed"], ["quarters"])],
        "arrays": lambda: check_arrays(pages, folder, small),
        "constant": lambda: check_constant(pages, folder, small),
        "async": lambda: check_async(pages, folder, small),
        "still": lambda: check_still(folder, small),
        "findings": lambda: check_findings(pages, folder, planted),
        "words": lambda: check_words(pages, folder, planted),
        "chinese": lambda: check_chinese(pages, folder),
        "layout": lambda: check_layout(pages, small),
    }
    for look_at in parts.values() if part == "all" else [parts[part]]:
        look_at()


def main():
    folder, what = sys.argv[1], sys.argv[2:]
    with sync_playwright() as p:
        chromium = next(
            (
                c
                for c in ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                if os.path.exists(c)
            ),
            None,
        )
        try:
            browser = p.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        except Exception as e:
            print(f"ok # SKIP the viewer's page: no Chromium starts ({str(e).splitlines()[0]})")
            return
        pages = Pages(browser)
        if what[0] == "planted":
            check_planted(pages, folder, *what[1:])
        else:
            for lab in what:
                program, *args = lab.split()
                check_counts(pages, folder, program, [*args, "--verify", "--small"])
        check("no script error, nothing fetched", not pages.wrong, "; ".join(sorted(set(pages.wrong))[:5]))
        browser.close()
    sys.exit(status())


main()
