#!/usr/bin/env python3
"""Compares `cucc --check` with the memory model on random programs of two or three agents that use locks.

The programs also have flags, fences of device and block scope, and branches on what was read. Each is judged by an
interpreter that goes through all interleavings and shares nothing with the checker, and is run under `cucc --check` in
three orders of the blocks: forward, reverse and a random one. A right program that is reported is a false alarm. For
the racy programs the campaign counts in how many of the three orders they are found. A program that may wait forever is
left out, and so is one with too many interleavings. cpudevice/tests/checker/litmus/locks.cu is the kernel and says what
the letters of a program mean.

Exit status: 0 if there is no false alarm and each program ended, 1 otherwise, 2 if the arguments are wrong or the
kernel could not be built.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import datetime
import itertools
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

ROOT = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../../..")
KERNEL = "cpudevice/tests/checker/litmus/locks.cu"
EXE = "build/cpu/tests/litmus_locks"
LOCKS, FLAGS, DATA = 2, 3, 3
MOST_OPERATIONS, MOST_STATES = 24, 60000
RACY_SHARE = 0.25  # at most this part of the programs is racy
WALL_LIMIT_S = 60
OPERATION = re.compile(r"[tygG][01]|[rwisvlp][012]|[fbzn]0")

Clock = tuple[int, ...]
Program = tuple[str, ...]  # operations, each a letter and a digit


class Agent(NamedTuple):
    """An agent between two operations."""

    at: int  # the next operation
    register: int
    clock: Clock  # how much of each agent happened before the next operation
    fence: (
        Clock  # the clock at the last fence of device scope: what a later atomic operation or volatile write releases
    )
    observed: Clock  # what the words read so far have released: a later fence of device scope acquires it


class Word(NamedTuple):
    """A lock or a flag."""

    value: int
    released: Clock  # what an agent acquires that observes this value and then has a fence


class Datum(NamedTuple):
    """A datum, with its last accesses."""

    value: int
    writer: int
    written: int  # when the last write was, on the writer's clock; 0: there was none
    read: Clock  # when each agent last read it since then


class State(NamedTuple):
    """All agents and all memory."""

    agents: tuple[Agent, ...]
    locks: tuple[Word, ...]
    flags: tuple[Word, ...]
    data: tuple[Datum, ...]


def join(a: Clock, b: Clock) -> Clock:
    return tuple(map(max, a, b))


class Interpreter:
    """Judges a program by all its interleavings, with a vector clock for what happens before what.

    The rules are those of the PTX ISA's chapter "Memory Consistency Model":

    - Release pattern: a fence of device scope, then a strong write by the same agent. The write releases what happened
      before the fence.
    - Acquire pattern: a strong read, then a fence of device scope by the same agent. After the fence the agent has
      acquired what the write that it read released.
    - Observation: a read observes a write also through a chain of atomic read-modify-write operations. An atomic
      operation therefore adds to what its word has released; a volatile write replaces it.
    - Synchronisation of a release pattern with an acquire pattern and program order together give what happens before
      what (base causality order). Two plain accesses of one datum by two agents race if one is a write and neither
      happens before the other.
    - A fence of block scope orders nothing between agents of different blocks.

    An atomicCAS that fails is a read alone. An operation that waits is one step, done when it succeeds: the attempts
    that fail could only add order. Strong accesses are interleaved one after another, so a behaviour in which relaxed
    accesses are seen in no common order is not considered; the checker does not run such a one, either.
    """

    def __init__(self, programs: list[Program]) -> None:
        self.programs = programs
        self.none = (0,) * len(programs)
        self.racy = False

    def verdict(self) -> str:
        """Returns right, race, waits (an interleaving in which no agent can go on) or large (too many states)."""
        stack, seen = [self.first_state()], set()
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > MOST_STATES:
                return "large"
            running = [who for who, agent in enumerate(state.agents) if agent.at < len(self.programs[who])]
            following = [after for after in (self.step(state, who) for who in running) if after]
            if running and not following:
                return "waits"
            stack += following
        return "race" if self.racy else "right"

    def first_state(self) -> State:
        """All memory is 0. An agent's own time begins with 1, so that time 0 means never."""
        clocks = [tuple(int(i == who) for i in range(len(self.programs))) for who in range(len(self.programs))]
        agents = tuple(Agent(0, 0, clock, self.none, self.none) for clock in clocks)
        word, datum = Word(0, self.none), Datum(0, 0, 0, self.none)
        return State(agents, (word,) * LOCKS, (word,) * FLAGS, (datum,) * DATA)

    def step(self, state: State, who: int) -> State | None:
        """Returns the state after an agent's next operation; None if the operation must wait."""
        agent = state.agents[who]
        letter, number = self.programs[who][agent.at][0], int(self.programs[who][agent.at][1])
        agent = agent._replace(at=agent.at + 1)
        if letter in "rwi":
            agent, datum = self.access(agent, who, letter, state.data[number])
            state = state._replace(data=replaced(state.data, number, datum))
        elif letter in "tygG" or letter in "svlp":
            kind = "locks" if letter in "tygG" else "flags"
            words: tuple[Word, ...] = getattr(state, kind)
            if letter == "t" and words[number].value != 0 or letter == "p" and words[number].value == 0:
                return None
            agent, word = self.use_word(agent, who, letter, words[number])
            state = state._replace(**{kind: replaced(words, number, word)})
        else:
            agent = self.fence_or_skip(agent, letter)
        agent = agent._replace(clock=replaced(agent.clock, who, agent.clock[who] + 1))
        return state._replace(agents=replaced(state.agents, who, agent))

    def access(self, agent: Agent, who: int, letter: str, datum: Datum) -> tuple[Agent, Datum]:
        """Does r, w or i, and notes whether it races with an earlier access."""
        now = agent.clock[who]
        if datum.written > agent.clock[datum.writer]:
            self.racy = True
        if letter in "wi" and any(read > agent.clock[i] for i, read in enumerate(datum.read)):
            self.racy = True
        if letter in "ri":
            agent = agent._replace(register=datum.value)
            datum = datum._replace(read=replaced(datum.read, who, now))
        if letter in "wi":
            value = datum.value + 1 if letter == "i" else who * 100 + agent.at
            datum = Datum(value, who, now, replaced(self.none, who, datum.read[who]))
        return agent, datum

    def use_word(self, agent: Agent, who: int, letter: str, word: Word) -> tuple[Agent, Word]:
        """Does an atomic operation that need not wait, or the volatile write."""
        if letter == "v":
            return agent, Word(1, agent.fence)
        agent = agent._replace(observed=join(agent.observed, word.released))
        if letter == "y" and word.value != 0:
            return agent._replace(at=len(self.programs[who])), word
        if letter == "l":
            agent = agent._replace(register=word.value)
        values = {"t": 1, "y": 1, "g": 0, "G": 0 if agent.register else 2, "s": 1}
        return agent, Word(values.get(letter, word.value), join(word.released, agent.fence))

    def fence_or_skip(self, agent: Agent, letter: str) -> Agent:
        """Does f, b, z or n."""
        if letter == "f":
            clock = join(agent.clock, agent.observed)
            return agent._replace(clock=clock, fence=clock)
        skips = letter == "z" and agent.register == 0 or letter == "n" and agent.register != 0
        return agent._replace(at=agent.at + int(skips))


def replaced(of: tuple, i: int, by: object) -> tuple:
    """Returns a tuple with another element i."""
    return (*of[:i], by, *of[i + 1 :])


class Generator:
    """Makes random programs: seven in ten of a few shapes in which a lock and a flag meet, the others freer."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one_of(self, *choices: str) -> list[str]:
        """Returns the operations of one choice: "" is none, a letter without a digit takes a random one."""
        text = self.random.choice(choices)
        return [op if len(op) == 2 else op + self.random.choice("012") for op in text.split()]

    def programs(self, layout: str) -> list[Program]:
        """Makes the programs of one test. With threads there are three, and no fence of block scope."""
        made = self.shaped() if self.chance(0.7) else self.free()
        if layout == "threads":
            made = [[op.replace("b", "f") for op in program] for program in made]
            made += [self.one_of("", "s1", "f0", "t0 f0 w1 f0 g0", "t0 w0 f0 g0")] * (3 - len(made))
        return [tuple(program[:MOST_OPERATIONS]) for program in made]

    def short_section(self, lock: int) -> list[str]:
        """Makes a critical section with one or two accesses, some under a condition."""
        ops = self.one_of(f"t{lock}", f"t{lock}", f"y{lock}") + self.one_of("f0", "f0", "")
        for _ in range(self.random.randint(1, 2)):
            if self.chance(0.3):
                ops += ["l0", *self.one_of("n0", "z0")]
            ops += [self.random.choice("wwwri") + self.random.choice("001")]
        return ops + self.one_of("f0", "f0", "") + self.one_of(*[f"g{lock}"] * 4, f"G{lock}")

    def shaped(self) -> list[list[str]]:
        """Makes agents that pass a flag on before, after or around their sections, or sections alone."""
        locks = [0, 0, 0] if self.chance(0.85) else [0, 1, 0]
        first, second, third = (self.short_section(lock) for lock in locks)
        if self.chance(0.4):
            second = first
        fence, shape = self.one_of("f0", ""), self.random.randrange(4)
        if shape == 0:  # a flag after the section
            made = [first + fence + self.one_of("s0", "v0"), self.one_of("p0", "p0", "l0 z0", "l0 n0")]
            made[1] += self.one_of("f0", "") + second
        elif shape == 1:  # a flag before the section
            made = [self.one_of("s0", "v0") + fence + first, self.one_of("", "l0 n0", "l0 z0", "p0") + second]
        elif shape == 2:  # three agents one after another
            made = [[*first, "f0", "s0"], ["p0", *fence, *second, "f0", "s1"], ["p1", *self.one_of("f0", ""), *third]]
        else:
            made = [first, second, *([third] if self.chance(0.5) else [])]
        return made[::-1] if self.chance(0.5) else made

    def long_section(self, lock: int) -> list[str]:
        """Makes a critical section that may also read and set flags, and hold the other lock."""
        fences = ("f0", "f0", "f0", "", "b0")
        ops = self.one_of(*[f"t{lock}"] * 5, f"y{lock}") + self.one_of(*fences)
        if self.chance(0.15):
            ops += self.one_of("l") + self.one_of("z0", "n0")
        is_nested = self.chance(0.12)
        if is_nested:
            ops += [f"t{1 - lock}", *self.one_of("f0", "")]
        for _ in range(self.random.randint(1, 2)):
            ops += [self.random.choice("rwwii") + self.random.choice("001")]
            if self.chance(0.25):
                ops += self.one_of("z0", "n0")
        if self.chance(0.1):
            ops += self.one_of("s", "v")
        if is_nested:
            ops += [*self.one_of("f0", ""), f"g{1 - lock}"]
        return ops + self.one_of(*fences) + self.one_of(*[f"g{lock}"] * 7, f"G{lock}")

    def free(self) -> list[list[str]]:
        """Makes agents with a section each and random operations around it; in some tests all have the same section."""
        count = self.random.choice((2, 2, 3))
        common = self.long_section(0) if self.chance(0.35) else None
        return [self.free_agent(common, count) for _ in range(count)]

    def free_agent(self, common: list[str] | None, count: int) -> list[str]:
        """Makes one agent of these."""
        ops = self.one_of("p", "l", "s", "v", "f0", "w", "r") if self.chance(0.3) else []
        ops += self.one_of("z0", "n0", "f0") if self.chance(0.15) else []
        section = list(common) if common and self.chance(0.9) else self.long_section(self.random.choice((0, 0, 0, 1)))
        if common and self.chance(0.35) and "f0" in section:
            fences = [i for i, op in enumerate(section) if op == "f0"]
            del section[self.random.choice(fences)]
        ops += section
        if self.chance(0.35):
            ops += self.one_of("f0", "") + self.one_of("s", "v", "w", "r", "f0")
        if count == 2 and self.chance(0.15):
            ops += self.long_section(self.random.choice((0, 0, 0, 1)))
        return ops


@dataclass
class Test:
    """Programs with the interpreter's verdict, the orders they run in, and in which ones the checker reports them."""

    programs: list[Program]
    verdict: str
    orders: list[tuple[str, int]]  # CUDA_CPU_ORDER and CUDA_CPU_WORKERS
    reported: list[bool] = field(default_factory=list)
    failed: str = ""  # how a run did not end as it should

    def text(self) -> str:
        return " ".join("".join(program) for program in self.programs)


@dataclass
class Count:
    """What came of one seed."""

    seed: int
    layout: str
    of: collections.Counter[str] = field(default_factory=collections.Counter)
    seconds: int = 0

    def note(self, test: Test) -> None:
        """Counts a test that has run; prints it if it is a false alarm, has failed or is not found in any order."""
        found = sum(test.reported)
        self.of[test.verdict] += 1
        if test.failed:
            self.of["failed"] += 1
            print(f"not ok - {self.layout}, seed {self.seed}: {test.text()}: {test.failed}", flush=True)
        elif test.verdict == "race":
            self.of[f"found_in_{found}"] += 1
            if not found:
                print(f"# {self.layout}, seed {self.seed}: not found in any order: {test.text()}", flush=True)
        elif found:
            self.of["false_alarms"] += 1
            where = ", ".join(order for (order, _), is_reported in zip(test.orders, test.reported) if is_reported)
            print(f"not ok - {self.layout}, seed {self.seed}: {test.text()}: right, but reported ({where})", flush=True)


CELLS = "right false_alarms race found_in_3 found_in_2 found_in_1 found_in_0 failed waits large".split()


def orders_of(chosen: random.Random) -> list[tuple[str, int]]:
    """Draws the random order, and one or two workers for each order."""
    return [(order, chosen.choice((1, 2))) for order in ("forward", "reverse", f"random:{chosen.randint(1, 9)}")]


def tests_of(seed: int, wanted: int, count: Count) -> Iterator[Test]:
    """Generates the tests of a seed; counts those that are left out."""
    generator, racy, made = Generator(seed), 0, 0
    while made < wanted:
        programs = generator.programs(count.layout)
        verdict = Interpreter(programs).verdict()
        if verdict in ("waits", "large"):
            count.of[verdict] += 1
        elif verdict == "right" or racy < wanted * RACY_SHARE:
            made, racy = made + 1, racy + (verdict == "race")
            yield Test(programs, verdict, orders_of(generator.random))


def run(test: Test, layout: str) -> Test:
    """Runs a test in its orders."""
    for order, workers in test.orders:
        settings = {"CUDA_CPU_ORDER": order, "CUDA_CPU_WORKERS": str(workers)}
        command = [EXE, layout, *("".join(program) for program in test.programs)]
        environment = {**os.environ, "LC_ALL": "C", "CUDA_CPU_WATCHDOG": "30", **settings}
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=WALL_LIMIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            test.failed = f"{order}: not done after {WALL_LIMIT_S} s"
            break
        errors = re.search(r"^cucc --check: (\d+) error", done.stderr, re.MULTILINE)
        if not errors or done.returncode != (99 if int(errors[1]) else 0):
            test.failed = f"{order}: status {done.returncode}"
            break
        test.reported.append(int(errors[1]) > 0)
    return test


def run_seed(seed: int, layout: str, wish: argparse.Namespace, pool: concurrent.futures.Executor) -> Count:
    """Generates and runs all tests of a seed; while some run, the next ones are judged."""
    count, started = Count(seed, layout), time.time()
    pending: collections.deque[concurrent.futures.Future[Test]] = collections.deque()
    for i, test in enumerate(tests_of(seed, wish.programs, count), 1):
        pending.append(pool.submit(run, test, layout))
        while len(pending) > 2 * wish.jobs:
            count.note(pending.popleft().result())
        if sys.stderr.isatty():
            print(f"\r{layout}, seed {seed}: {i} of {wish.programs} ", end="", file=sys.stderr, flush=True)
    for future in pending:
        count.note(future.result())
    count.seconds = round(time.time() - started)
    print(f"# {layout}, seed {seed}: " + ", ".join(f"{cell} {count.of[cell]}" for cell in CELLS), flush=True)
    return count


def write_csv(path: str, counts: list[Count]) -> None:
    """Writes the rows of all seeds that are done."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        device = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# device: {device[1] if device else 'unknown'}, {os.cpu_count()} cores\n")
        file.write(f"# date: {datetime.date.today()}\n")
        file.write(f"# command: cpudevice/tests/campaigns/{' '.join(['locks.py', *sys.argv[1:]])}\n")
        file.write(f"seed,layout,programs,{','.join(CELLS)},seconds\n")
        for c in counts:
            cells = ",".join(str(c.of[cell]) for cell in CELLS)
            file.write(f"{c.seed},{c.layout},{c.of['right'] + c.of['race']},{cells},{c.seconds}\n")


def build() -> bool:
    """Builds the kernel."""
    os.makedirs(os.path.dirname(EXE), exist_ok=True)
    return not subprocess.run(["cpudevice/cucc", "--check", "-O1", "-o", EXE, KERNEL], check=False).returncode


def run_given(texts: list[str], layout: str) -> int:
    """Judges and runs one test given as text."""
    programs = [tuple(OPERATION.findall(text)) for text in texts]
    test = Test(programs, Interpreter(programs).verdict(), orders_of(random.Random(1)))
    if test.verdict in ("waits", "large"):
        print(f"{layout}: {test.verdict}: not run")
        return 0
    run(test, layout)
    said = ", ".join(f"{order} {'reported' if r else 'silent'}" for (order, _), r in zip(test.orders, test.reported))
    print(f"{layout}: {test.verdict}: {', '.join(filter(None, (said, test.failed)))}")
    return int(bool(test.failed) or test.verdict == "right" and any(test.reported))


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "given", nargs="*", metavar="PROGRAM", help="two or three programs to judge instead of random ones"
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2], metavar="SEED", help="(default: 1 2)")
    parser.add_argument("--programs", type=int, default=600, metavar="N", help="tests per seed (default: 600)")
    parser.add_argument(
        "--layouts",
        nargs="+",
        choices=("blocks", "threads"),
        default=["blocks", "threads"],
        metavar="LAYOUT",
        help="blocks: each agent is a block; threads: the last two are threads of one block (default: both)",
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="programs at once (default: 1)")
    parser.add_argument("--csv", metavar="FILE", help="where each seed's row goes, from the repository's root")
    parser.add_argument("--no-build", action="store_true", help="the kernel has been built")
    wish = parser.parse_args()
    if wish.programs < 1 or wish.jobs < 1:
        parser.error("--programs and --jobs must be at least 1")
    if wish.csv and not os.path.isdir(os.path.dirname(os.path.join(ROOT, wish.csv))):
        parser.error(f"no folder for {wish.csv}")
    if wish.given and not 2 <= len(wish.given) <= 3:
        parser.error("two or three programs are needed")
    for text in wish.given:
        if not re.fullmatch(f"(?:{OPERATION.pattern}){{0,{MOST_OPERATIONS}}}", text):
            parser.error(f"not a program of at most {MOST_OPERATIONS} operations: {text}")
        if "threads" in wish.layouts and "b" in text:
            parser.error("a fence of block scope is judged with --layouts blocks only")
    return wish


def main() -> int:
    """Builds the kernel, and runs what the command line asks for."""
    wish = arguments()
    os.chdir(ROOT)
    if not wish.no_build and not build():
        return 2
    if wish.given:
        return max(run_given(wish.given, layout) for layout in wish.layouts)
    counts: list[Count] = []
    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        for layout, seed in itertools.product(wish.layouts, wish.seeds):
            counts.append(run_seed(seed, layout, wish, pool))
            if wish.csv:
                write_csv(wish.csv, counts)
    return int(any(count.of["false_alarms"] or count.of["failed"] for count in counts))


if __name__ == "__main__":
    sys.exit(main())
