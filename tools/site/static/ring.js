// A ring of slots with two mbarriers each, full and empty, as in lecture 14's Hopper ladder, one move at a time.
"use strict";

function ring_of(slots) {
  const barriers = () => Array.from({ length: slots }, () => ({ phase: 0 }));
  const side = (parity) => ({ step: 0, slot: 0, parity });
  return { slots, full: barriers(), empty: barriers(), producer: side(1), consumer: side(0) };
}

// A wait names the parity of the phase that must have ended. The barrier is in the phase after it, so its parity differs.
function wait_returns(barrier, parity) {
  return barrier.phase !== parity;
}

// The producer waits for an empty slot and fills it; the consumer waits for a full one and empties it. One arrival ends a
// phase. Returns false, and changes nothing, where the wait does not return.
function ring_move(ring, who) {
  const side = ring[who], fills = who === "producer";
  const waited = (fills ? ring.empty : ring.full)[side.slot], arrived = (fills ? ring.full : ring.empty)[side.slot];
  if (!wait_returns(waited, side.parity)) return false;
  arrived.phase ^= 1;
  side.step++;
  if (++side.slot === ring.slots) {
    side.slot = 0;
    side.parity ^= 1;
  }
  return true;
}
