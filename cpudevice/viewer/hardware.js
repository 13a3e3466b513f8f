/* hardware.js: what the hardware makes of one instruction of a warp, and values in words.  No DOM. */

const LANES = 32, SECTOR = 32, BANKS = 32;
const lanesOf = mask => {
  const all = [];
  for (let l = 0; l < LANES; l++) if (mask >>> l & 1) all.push(l);
  return all;
};

/* ---- what the hardware makes of one instruction ---- */

/* The 32-byte sectors that it touches, in order, each with its number (address / 32). */
function sectorsOf(addresses, lanes, bytes) {
  const all = new Set();
  for (const l of lanes)
    for (let s = Math.floor(addresses[l] / SECTOR); s <= Math.floor((addresses[l] + bytes - 1) / SECTOR); s++) all.add(s);
  return [...all].sort((a, b) => a - b);
}
const idealSectors = (lanes, bytes, sectors) => Math.min(Math.ceil(lanes.length * bytes / SECTOR), sectors);

/* The turns that the 32 banks need: in each, what a bank serves is [bank, word, lanes].  Wide accesses go in halves or
 * quarters of the warp; in one turn a bank gives one word to any number of lanes; atomics on one word wait for each other.
 * `turn.extra`: it would not be needed without conflicts. */
function turnsOf(addresses, lanes, bytes, atomic) {
  const parts = bytes === 16 ? 4 : bytes === 8 ? 2 : 1, each = LANES / parts, turns = [];
  for (let p = 0; p < parts; p++) {
    const banks = Array.from({length: BANKS}, () => []);
    for (const l of lanes) {
      if (Math.floor(l / each) !== p) continue;
      for (let w = 0; w < Math.ceil(bytes / 4); w++) {
        const word = Math.floor(addresses[l] / 4) + w, queue = banks[word % BANKS];
        const same = atomic ? undefined : queue.find(q => q.word === word);
        if (same) same.lanes.push(l); else queue.push({word, lanes: [l]});
      }
    }
    const most = Math.max(...banks.map(q => q.length));
    for (let t = 0; t < most; t++)
      turns.push({part: p, extra: t > 0, serves: banks.flatMap((q, bank) => q[t] ? [[bank, q[t].word, q[t].lanes]] : [])});
  }
  return turns;
}

/* The fetches that the constant cache needs, [address, lanes] each: one for each address that differs (CUDA C++ Programming
 * Guide, "Device Memory Accesses", constant memory). */
function fetchesOf(addresses, lanes) {
  const all = new Map();
  for (const l of lanes) all.set(addresses[l], [...(all.get(addresses[l]) || []), l]);
  return [...all].sort((a, b) => a[0] - b[0]);
}

/* ---- values ---- */

const SIZES = {float: 4, double: 8, int: 4, "unsigned int": 4, unsigned: 4, long: 8, "unsigned long": 8, "long int": 8, "long unsigned int": 8,
  "long long": 8, "long long int": 8, "long long unsigned int": 8, short: 2, "short int": 2, "short unsigned int": 2, char: 1,
  "signed char": 1, "unsigned char": 1, bool: 1, __half: 2, half: 2, __nv_bfloat16: 2, float4: 4, float2: 4, int4: 4, int2: 4, uint4: 4,
  double2: 8, __nv_fp8_e4m3: 1, __nv_fp8_e5m2: 1};
const scratch = new DataView(new ArrayBuffer(16));
const brief = v => Number.isInteger(v) ? String(v) : String(+v.toPrecision(5));

function halfValue(u) {
  const s = u >> 15 ? -1 : 1, e = u >> 10 & 31, m = u & 1023;
  return e === 31 ? (m ? NaN : s * Infinity) : s * (e ? 2 ** (e - 15) * (1 + m / 1024) : 2 ** -14 * m / 1024);
}

/* The element's value in words, from its bytes. */
function valueText(type, bytes) {
  bytes.forEach((b, i) => scratch.setUint8(i, b));
  const n = bytes.length, u = n === 4 ? scratch.getUint32(0, true) : 0;
  if (/half/.test(type)) return brief(halfValue(scratch.getUint16(0, true)));
  if (/bfloat16/.test(type)) { scratch.setUint32(4, scratch.getUint16(0, true) << 16, true); return brief(scratch.getFloat32(4, true)); }
  if (n === 8) return /double/.test(type) ? brief(scratch.getFloat64(0, true)) : String(scratch.getBigInt64(0, true));
  if (n === 2) return String(/unsigned/.test(type) ? scratch.getUint16(0, true) : scratch.getInt16(0, true));
  if (n === 1) return String(/unsigned|bool/.test(type) ? bytes[0] : scratch.getInt8(0));
  if (/float/.test(type)) return brief(scratch.getFloat32(0, true));
  if (/unsigned|uint/.test(type)) return String(u);
  if (/int|long/.test(type)) return String(u | 0);
  const e = u >>> 23 & 255; /* the type is not known: a float if it looks like one */
  return u && e > 63 && e < 191 ? brief(scratch.getFloat32(0, true)) : String(u | 0);
}
