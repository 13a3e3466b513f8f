"""The interactive pieces of the site compute as the CPU device and the labs do: 10,000 random inputs of each go through
the scripts in Chromium, and through the checker's counters, the model of chips and of L2, a kernel with mbarriers, the
functions of the labs swizzle and roofline, and the files of results.
"""

import csv
import functools
import glob
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
from tree import labs  # noqa: E402

import results  # noqa: E402

COUNT = 10000
FIGURES = ("warps_per_sm", "blocks_per_sm", "registers_per_sm", "shared_kb", "shared_reserved")
STATIC = "tools/site/static"
SCRIPTS = ("warp", "occupancy", "ring", "tiles", "roofline", "ladder")
SWIZZLE, ROOFLINE = "lecture14_tiling/swizzle.cu", "lecture14_tiling/roofline.cu"
CHIPS = sorted(glob.glob("cpudevice/model/chips/*.csv"))

# Reads "a FIRST STRIDE SIZE" or "o CHIP FIGURES, THREADS SHARED REGISTERS" and prints what the device makes of it.
RULES = r"""
#include <stdio.h>
#include "counters/counters_instruction.h"
#include "launch.h"

int main(void)
{
    char kind;
    int a, b, c;
    chip one = {.sms = 1};
    while (scanf(" %c", &kind) == 1)
        if (kind == 'a' && scanf("%d %d %d", &a, &b, &c) == 3) {
            pattern p;
            const group g = {.base = 1 << 20, .active = ~0u};
            for (int lane = 0; lane < 32; lane++)
                p.off[lane] = a + lane * b;
            sums global, shared;
            count_instruction(&g, p.off, (unsigned)c, 0, 0, &global);
            count_instruction(&g, p.off, (unsigned)c, 1, 0, &shared);
            printf("%u %u\n", (unsigned)global.sectors, (unsigned)shared.wavefronts);
        } else if (kind == 'o' &&
                   scanf("%lf %lf %lf %lf %lf %d %d %d", &one.warps_per_sm, &one.blocks_per_sm, &one.registers_per_sm,
                         &one.shared_kb, &one.shared_reserved, &a, &b, &c) == 8) {
            printf("%u\n", model_resident(&one, (unsigned)a, b, (unsigned)c));
        } else
            return 1;
    return 0;
}
"""

# One thread moves a ring: before each move it asks the barrier whether the wait would return.
RING = r"""
#include <stdio.h>
#include "hopper.cuh"

__device__ bool returns(uint32_t bar, uint32_t parity)
{
    uint32_t ended;
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
                 : "=r"(ended) : "r"(bar), "r"(parity) : "memory");
    return ended;
}

__global__ void play(const char *moves, char *done, int count, int slots)
{
    __shared__ uint64_t full[8], empty[8];
    int slot[2] = {0, 0};
    uint32_t parity[2] = {1, 0};
    for (int i = 0; i < slots; i++) {
        mbarrier_init(shared_address(&full[i]), 1);
        mbarrier_init(shared_address(&empty[i]), 1);
    }
    for (int i = 0; i < count; i++) {
        const int who = moves[i] == 'c', at = slot[who];
        done[i] = returns(shared_address(who ? &full[at] : &empty[at]), parity[who]) ? '1' : '0';
        if (done[i] == '0')
            continue;
        mbarrier_arrive(shared_address(who ? &empty[at] : &full[at]));
        if (++slot[who] == slots) {
            slot[who] = 0;
            parity[who] ^= 1;
        }
    }
}

int main(void)
{
    char *moves, *done;
    int slots;
    cudaMallocManaged(&moves, 20000);
    cudaMallocManaged(&done, 20000);
    while (scanf("%d %19999s", &slots, moves) == 2) {
        int count = 0;
        while (moves[count])
            count++;
        play<<<1, 1>>>(moves, done, count, slots);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        printf("%.*s\n", count, done);
    }
    return 0;
}
"""

# Reads "t ORDER ROWS COLUMNS DEPTH WAVE LINES", and asks swizzle's own list of tiles and the model's own cache; and "r
# COUNT" with the rungs "MS GBPS TFLOPS OF_COPY TYPE AS_DENSE", for roofline's own roofs. FUNCTIONS are the labs'.
LABS = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern "C" {
#include "cache.h"
}
#define LAB_COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))
FUNCTIONS

static void fetched(int order, int rows, int columns, int depth, int wave, int lines)
{
    static cache l2;
    Tile *list = new Tile[rows * columns];
    tile_list(order, rows, columns, list);
    cache_empty(&l2, 128.0 * lines, 16);
    int count = 0;
    for (int first = 0; first < rows * columns; first += wave)
        for (int k = 0; k < depth; k++)
            for (int i = first; i < first + wave && i < rows * columns; i++) {
                count += !cache_read(&l2, 128ull * (list[i].row * depth + k));
                count += !cache_read(&l2, 128ull * (rows * depth + list[i].column * depth + k));
            }
    printf("%d\n", count);
    delete[] list;
}

static void roofs(int count)
{
    Points all = {(Point *)calloc(count, sizeof(Point)), count, 0, 0};
    for (int i = 0; i < count; i++) {
        Point *p = &all.p[i];
        if (scanf("%lf %lf %lf %lf %7s %d", &p->ms, &p->gbps, &p->tflops, &p->of_copy, p->type, &p->as_dense) != 6)
            exit(1);
        p->brief = p->ms < 0.02;
    }
    const Roofs own = roofs_of(&all), *r = &own;
    for (int i = 0; i < count; i++) {
        const Point *p = &all.p[i];
        double compute = 0;
        for (int k = 0; k < LAB_COUNT(types); k++)
            if (strcmp(p->type, types[k]) == 0)
                compute = r->peak[k];
        ROOF
        printf("%.17g\n", roof);
    }
    free(all.p);
}

int main(void)
{
    char kind;
    int a, b, c, d, e, f;
    while (scanf(" %c %d", &kind, &a) == 2)
        if (kind == 'r')
            roofs(a);
        else if (scanf("%d %d %d %d %d", &b, &c, &d, &e, &f) == 5)
            fetched(a, b, c, d, e, f);
    return 0;
}
"""

PAGE = """<meta charset="utf-8"><body><pre id="said"></pre><script>{scripts}
const chips = {chips}, measured = {measured}, cases = {cases};
const played = ([slots, moves]) => {{
  const ring = ring_of(slots);
  return [...moves].map(m => (ring_move(ring, m === "c" ? "consumer" : "producer") ? 1 : 0)).join("");
}};
said.textContent = JSON.stringify({{
  access: cases.access.map(c => [sectors(...c).size, turns(...c)]),
  resident: cases.resident.map(([chip, ...c]) => resident_blocks(chips[chip], ...c)),
  ring: cases.ring.map(played),
  tiles: cases.tiles.map(c => tiles_fetched(...c)),
  roofs: cases.roofs.flatMap(rungs => {{
    const named = rungs.map(([as_dense, ...rung]) => Object.assign(rung, {{ as_dense }})), roofs = roofs_of(named);
    return named.map(rung => roof_at(roofs, rung[TYPE], intensity(rung)));
  }}),
  ladders: cases.ladders.map(([lab, device, type, size, mode, quantity]) =>
    bars_of(measured[lab], device, {{ type, size, mode }}, quantity).map(bar => [bar.label, bar.value])),
}});
</script></body>"""


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def figures(path: str) -> dict[str, float]:
    return {row[0]: float(row[1]) for row in (line.split(",") for line in read(path).splitlines()[2:])}


def drawn() -> dict[str, list]:
    draw = random.Random(40)
    access = [(draw.randrange(512), draw.randrange(1025), draw.choice((1, 2, 4, 8, 16))) for _ in range(COUNT)]
    # Shared memory is accessed at multiples of the size, and so is global memory.
    access = [(first // size * size, stride // size * size, size) for first, stride, size in access]
    numbers = [(draw.randrange(1, 1025), draw.randrange(227 * 1024 + 1), draw.randrange(1, 256)) for _ in range(COUNT)]
    resident = [(draw.choice(CHIPS), threads, shared >> draw.randrange(8), r) for threads, shared, r in numbers]
    resident += [(chip, 256, 0, 32) for chip in CHIPS]
    ring = [(slots, "".join(draw.choice("pc") for _ in range(COUNT // 8))) for slots in range(1, 9)]
    order = ["rows", "columns", "hilbert", *range(1, 9)]
    tiles = [
        (draw.choice(order), *(draw.randrange(1, most) for most in (13, 13, 9, 41)), draw.randrange(1, 257))
        for _ in range(COUNT)
    ]
    roofs = [[rung(draw) for _ in range(100)] for _ in range(COUNT // 100)]
    keys = sorted(measured())
    ladders = [(*draw.choice(keys), draw.choice(("GB/s", "TFLOP/s", "ms"))) for _ in range(COUNT)]
    return {"access": access, "resident": resident, "ring": ring, "tiles": tiles, "roofs": roofs, "ladders": ladders}


def rung(draw: random.Random) -> list:
    """A rung with random figures, from brief to long, and whether it counts the operations of a dense product."""
    ms, gbps, tflops = 10 ** draw.uniform(-3, 2), 10 ** draw.uniform(0, 4), 10 ** draw.uniform(-2, 3)
    kind = draw.choice(("fp32", "bf16", "fp16", "int8"))
    return [draw.random() < 0.2, "1", "name", kind, "size", "mode", ms, gbps, tflops, draw.choice((0, draw.random()))]


@functools.cache
def measured() -> dict[tuple[str, ...], list[dict[str, str]]]:
    """The timed rungs by lab, device, type, shape and mode, read from the files of results by Python's own reader."""
    found: dict[tuple[str, ...], list[dict[str, str]]] = {}
    files = glob.glob("results/*/lecture*/*.csv")
    for path in sorted(files, key=lambda path: (len(path), path)):
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        for row in rows:
            if {"lab", "rung", "size", "time_ms", "of_copy"} <= set(row) and float(row["time_ms"] or 0) > 0:
                device = results.DEVICES[path.split("/")[1]]
                rows_there = found.setdefault((row["lab"], device, row["type"], row["size"], row["mode"]), [])
                if all((row["rung"], row["name"]) != (other["rung"], other["name"]) for other in rows_there):
                    rows_there.append(row)
    return found


def bars(*case: str) -> list[list]:
    column = {"GB/s": "gbps", "TFLOP/s": "tflops", "ms": "time_ms"}[case[-1]]
    rows = [row for row in measured()[case[:-1]] if float(row[column] or 0) > 0]
    return [[f"{row['rung']} {row['name']}", float(row[column])] for row in rows]


def function(path: str, name: str) -> str:
    """A function, a type or a table at the top level of a lab, with the line that begins it."""
    pattern = rf"^(?:static|typedef|enum) [^\n;]*\b{name}\b(?:[^\n;]*;|[^\n]*\}};?|.*?\n\}}[^\n]*)$"
    return re.search(pattern, read(path), re.M | re.S)[0]


def differing(name: str, cases: list, of_site: list, of_device: list) -> None:
    wrong = [(c, s, d) for c, s, d in zip(cases, of_site, of_device, strict=True) if s != d]
    check(f"{name}: {len(cases)} inputs", not wrong, f"{len(wrong)} differ; (input, site, device):", *wrong[:5])


def by_chromium(chromium: str, folder: str, cases: dict[str, list]) -> dict[str, list]:
    scripts = "\n".join(read(f"{STATIC}/{name}.js") for name in SCRIPTS)
    of_labs = {os.path.basename(lab).removesuffix(".cu"): results.rungs(lab) for lab in labs()}
    chips = json.dumps({path: figures(path) for path in CHIPS})
    page = os.path.join(folder, "page.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write(PAGE.format(scripts=scripts, chips=chips, measured=json.dumps(of_labs), cases=json.dumps(cases)))
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
    shown = said([*command, "--dump-dom", page], [])
    return json.loads(html.unescape(re.search(r'<pre id="said">(.*?)</pre>', "\n".join(shown), re.S)[1]))


def said(command: list[str], lines: list[str]) -> list[str]:
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout.splitlines()


def program_of_labs(folder: str) -> str:
    taken = [
        *(function(SWIZZLE, name) for name in ("ROWS", "Tile", "hilbert", "tile_list")),
        *(function(ROOFLINE, name) for name in ("Point", "Points", "intensity", "by_number", "copy_gbps", "types")),
        *(function(ROOFLINE, name) for name in ("Roofs", "roofs_of")),
    ]
    roof = re.search(r"double roof = .*?;", read(ROOFLINE))[0]
    source, program = os.path.join(folder, "labs.cc"), os.path.join(folder, "labs")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LABS.replace("FUNCTIONS", "\n".join(taken)).replace("ROOF\n", roof + "\n"))
    include = ["-Icpudevice/model", "-Icpudevice/include"]
    subprocess.run(["gcc", *include, "-c", "cpudevice/model/cache.c", "-o", folder + "/cache.o"], check=True)
    subprocess.run(["g++", "-ffp-contract=off", *include, source, folder + "/cache.o", "-o", program], check=True)
    return program


def by_device(folder: str, cases: dict[str, list]) -> dict[str, list]:
    for name, text in (("rules.c", RULES), ("ring.cu", RING)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    rules, ring = os.path.join(folder, "rules"), os.path.join(folder, "ring")
    include = ["-Icpudevice/checker", "-Icpudevice/model", "-Icpudevice/include"]
    subprocess.run(["gcc", *include, rules + ".c", "cpudevice/model/estimate.c", "-o", rules, "-lm"], check=True)
    subprocess.run(["cpudevice/cucc", "-Icommon", ring + ".cu", "-o", ring], check=True)
    of_labs = program_of_labs(folder)
    orders = {"rows": 0, "columns": 1, "hilbert": 2} | {height: 3 + height for height in range(1, 9)}
    tiles = [" ".join(map(str, ["t", orders[order], *rest])) for order, *rest in cases["tiles"]]
    roofs = []
    for rungs in cases["roofs"]:
        roofs += [f"r {len(rungs)}"] + [" ".join(map(str, [*r[6:], r[3], int(r[0])])) for r in rungs]
    access = said([rules], [f"a {first} {stride} {size}" for first, stride, size in cases["access"]])
    chips = {path: [figures(path)[name] for name in FIGURES] for path in CHIPS}
    resident = said([rules], ["o " + " ".join(map(str, [*chips[c], *rest])) for c, *rest in cases["resident"]])
    return {
        "access": [[int(word) for word in line.split()] for line in access],
        "resident": [int(line) for line in resident],
        "ring": said([ring], [f"{slots} {moves}" for slots, moves in cases["ring"]]),
        "tiles": [int(line) for line in said([of_labs], tiles)],
        "roofs": [float(line) for line in said([of_labs], roofs)],
        "ladders": [bars(*case) for case in cases["ladders"]],
    }


def main() -> None:
    chromium = shutil.which("chromium")
    if not chromium:
        tap.skip("no chromium here, which runs the site's scripts")
        return
    cases = drawn()
    with tempfile.TemporaryDirectory() as folder:
        of_site, of_device = by_chromium(chromium, folder, cases), by_device(folder, cases)
    differing("sectors and turns of an access", cases["access"], of_site["access"], of_device["access"])
    differing("resident blocks", cases["resident"], of_site["resident"], of_device["resident"])
    moves = [(slots, number) for slots, moves in cases["ring"] for number in range(len(moves))]
    differing("moves of a ring", moves, list("".join(of_site["ring"])), list("".join(of_device["ring"])))
    differing("tiles fetched", cases["tiles"], of_site["tiles"], of_device["tiles"])
    differing("roofs", [r for rungs in cases["roofs"] for r in rungs], of_site["roofs"], of_device["roofs"])
    differing("bars of ladders", cases["ladders"], of_site["ladders"], of_device["ladders"])
    some = set(of_site["resident"])
    check("the inputs are of many kinds", len(some) > 16 and all({"0", "1"} == set(r) for r in of_site["ring"]), some)


main()
sys.exit(tap.failed)
