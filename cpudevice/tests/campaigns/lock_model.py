"""The memory model's verdict on small programs with locks, for locks.py: it shares nothing with the checker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LOCKS, FLAGS, DATA = 2, 3, 3
MOST_STATES = 60000
OPERATION = re.compile(r"[tygG][01]|[rwisvlp][012]|[fbznB]0")

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


class Block(NamedTuple):
    """What a block's barriers know of its agents' fences."""

    since: tuple[str, ...]  # the fences since the last barrier: of each agent "", "f", "b" or "fb"
    fenced: Clock  # what the agents' fences before a barrier publish, whichever agent of the block releases after it


class State(NamedTuple):
    """All agents and all memory."""

    agents: tuple[Agent, ...]
    blocks: tuple[Block, ...]
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
    - A barrier orders what the agents of its block did before it before what they do after it.

    In two respects the interpreter is as lenient as CHECK.md says that the checker is. A barrier counts as the acquire
    fence of an agent that has read a word before it. What an agent with a fence of device scope did before a barrier is
    released by any agent of its block after it. (Only the last barrier that some fence precedes counts, and not if one
    of these fences has block scope.)

    An atomicCAS that fails is a read alone. An operation that waits is one step, done when it succeeds: the attempts
    that fail could only add order. Strong accesses are interleaved one after another, so a behaviour in which relaxed
    accesses are seen in no common order is not considered; the checker does not run such a one, either.
    """

    def __init__(self, programs: Sequence[Program], agents_per_block: int = 1) -> None:
        self.programs = programs
        self.per_block = agents_per_block
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
            following = self.following(state, running)
            if running and not following:
                return "waits"
            stack += following
        return "race" if self.racy else "right"

    def following(self, state: State, running: list[int]) -> list[State]:
        """Returns the next states. What touches only its own agent or block is done at once: its place among the
        operations of others makes no difference."""
        for who in running:
            if self.programs[who][state.agents[who].at][0] in "fbznB":
                after = self.step(state, who)
                if after:
                    return [after]
        return [after for after in (self.step(state, who) for who in running) if after]

    def first_state(self) -> State:
        """All memory is 0. An agent's own time begins with 1, so that time 0 means never."""
        clocks = [tuple(int(i == who) for i in range(len(self.programs))) for who in range(len(self.programs))]
        agents = tuple(Agent(0, 0, clock, self.none, self.none) for clock in clocks)
        word, datum = Word(0, self.none), Datum(0, 0, 0, self.none)
        blocks = (Block(("",) * self.per_block, self.none),) * (len(agents) // self.per_block)
        return State(agents, blocks, (word,) * LOCKS, (word,) * FLAGS, (datum,) * DATA)

    def step(self, state: State, who: int) -> State | None:
        """Returns the state after an agent's next operation; None if the operation must wait."""
        agent = state.agents[who]
        letter, number = self.programs[who][agent.at][0], int(self.programs[who][agent.at][1])
        if letter == "B":
            return self.barrier(state, who)
        agent = agent._replace(at=agent.at + 1)
        if letter in "rwi":
            agent, datum = self.access(agent, who, letter, state.data[number])
            state = state._replace(data=replaced(state.data, number, datum))
        elif letter in "tygG" or letter in "svlp":
            kind = "locks" if letter in "tygG" else "flags"
            words: tuple[Word, ...] = getattr(state, kind)
            if letter == "t" and words[number].value != 0 or letter == "p" and words[number].value == 0:
                return None
            agent, word = self.use_word(agent, who, letter, words[number], state.blocks[who // self.per_block].fenced)
            state = state._replace(**{kind: replaced(words, number, word)})
        else:
            agent = self.fence_or_skip(agent, letter)
            if letter in "fb" and self.per_block > 1:
                state = self.note_fence(state, who, letter)
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

    def use_word(self, agent: Agent, who: int, letter: str, word: Word, fenced: Clock) -> tuple[Agent, Word]:
        """Does an atomic operation that need not wait, or the volatile write."""
        releases = join(agent.fence, fenced)
        if letter == "v":
            return agent, Word(1, releases)
        agent = agent._replace(observed=join(agent.observed, word.released))
        if letter == "y" and word.value != 0:
            return agent._replace(at=len(self.programs[who])), word
        if letter == "l":
            agent = agent._replace(register=word.value)
        values = {"t": 1, "y": 1, "g": 0, "G": 0 if agent.register else 2, "s": 1}
        return agent, Word(values.get(letter, word.value), join(word.released, releases))

    def fence_or_skip(self, agent: Agent, letter: str) -> Agent:
        """Does f, b, z or n."""
        if letter == "f":
            clock = join(agent.clock, agent.observed)
            return agent._replace(clock=clock, fence=clock)
        skips = letter == "z" and agent.register == 0 or letter == "n" and agent.register != 0
        return agent._replace(at=agent.at + int(skips))

    def note_fence(self, state: State, who: int, letter: str) -> State:
        """Notes a fence for the next barrier of the agent's block."""
        at, lane = divmod(who, self.per_block)
        block = state.blocks[at]
        since = replaced(block.since, lane, "".join(sorted({*block.since[lane], letter}, reverse=True)))
        return state._replace(blocks=replaced(state.blocks, at, block._replace(since=since)))

    def barrier(self, state: State, who: int) -> State | None:
        """Passes the barrier of a block, as a step of its first agent, once all its agents have come to it."""
        at, lane = divmod(who, self.per_block)
        members = range(who, who + self.per_block)
        if lane or any(self.programs[i][state.agents[i].at : state.agents[i].at + 1] != ("B0",) for i in members):
            return None
        block, known, agents = state.blocks[at], self.none, state.agents
        for i in members:
            known = join(known, join(agents[i].clock, agents[i].observed))
        if any(block.since):
            by = [i for i, fences in zip(members, block.since) if fences]
            of_others = (known[i] if i not in members or i in by else 0 for i in range(len(known)))
            is_wide = all("b" not in fences for fences in block.since)
            block = Block(("",) * self.per_block, tuple(of_others) if is_wide else self.none)
        for i in members:
            agent = agents[i]
            clock = replaced(known, i, agent.clock[i] + 1)
            agents = replaced(agents, i, agent._replace(at=agent.at + 1, clock=clock, observed=self.none))
        return state._replace(agents=agents, blocks=replaced(state.blocks, at, block))


def replaced(of: tuple, i: int, by: object) -> tuple:
    """Returns a tuple with another element i."""
    return (*of[:i], by, *of[i + 1 :])
