"""Random programs with locks, for locks.py."""

from __future__ import annotations

import random

from lock_model import Program

MOST_OPERATIONS = 24


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
        if layout == "barriers":
            return [tuple(program[:MOST_OPERATIONS]) for program in self.blocks()]
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

    def blocks(self) -> list[list[str]]:
        """Makes two or three blocks of two agents: in most tests the same, but for a fence that one lacks."""
        common = self.block_section()
        made: list[list[str]] = []
        for _ in range(self.random.choice((2, 2, 2, 3))):
            block = [list(ops) for ops in common] if self.chance(0.8) else self.block_section()
            if self.chance(0.4):
                fences = [(ops, i) for ops in block for i, op in enumerate(ops) if op == "f0"]
                for ops, i in fences and [self.random.choice(fences)]:
                    ops[i : i + 1] = self.one_of("", "", "b0")
            if self.chance(0.12):
                ops = self.random.choice(block)
                at = self.random.choice([i for i in range(len(ops) + 1) if i == 0 or ops[i - 1][0] not in "zn"])
                ops[at:at] = self.one_of("s", "v", "l", "p")
            made += block
        return made

    def block_section(self) -> list[list[str]]:
        """Makes the two agents of a block; the first holds a lock while both access data between barriers."""
        first = self.one_of(*[""] * 8, "f0", "w2") + ["t0"] + self.one_of("f0", "f0", "f0", "", "b0")
        second = self.one_of(*[""] * 8, "f0", "w2", "r0")
        if self.chance(0.3):
            first += self.block_accesses("0")
        for _ in range(self.random.choice((0, 1, 1, 1, 1, 2))):
            data = self.random.choice(("01", "01", "01", "01", "10", "00"))
            first += ["B0", *self.block_accesses(data[0])]
            second += ["B0", *self.block_accesses(data[1])]
        before, behind = self.random.choice((("f0", ""), ("f0", ""), ("", "f0"), ("", "f0"), ("f0", "f0"), ("", "")))
        first += self.one_of(before)
        second += self.one_of(before)
        if self.chance(0.95):
            first += ["B0"]
            second += ["B0"]
        if self.chance(0.15):
            first += self.block_accesses("0")
        first += self.one_of(behind) + self.one_of(*["g0"] * 12, "G0") + self.one_of(*[""] * 8, "f0", "r1")
        return [first, second + self.one_of(*[""] * 8, "f0", "r1", "w2")]

    def block_accesses(self, data: str) -> list[str]:
        """Makes up to two accesses, some under a condition."""
        ops = []
        for _ in range(self.random.choice((0, 1, 1, 1, 2))):
            skip = self.one_of("z0", "n0") if self.chance(0.1) else []
            ops += [*skip, self.random.choice("rwwwwi") + (data if self.chance(0.95) else self.random.choice("012"))]
        return ops
