/* recording.js: the recording that page.c wrote, decoded, and what can be said of each step.  No DOM: the page uses it,
 * and what draws a still picture. */

const BARRIER = 0, MEETING = 1, ACCESS = 2;
const MEETINGS = ["__syncwarp", "shuffle", "vote", "exchange"];

function bytesOf(base64) {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const value = new Uint8Array(128), n = base64.length, out = new Uint8Array(n / 4 * 3);
  for (let i = 0; i < 64; i++) value[digits.charCodeAt(i)] = i;
  const digit = i => value[base64.charCodeAt(i)];
  for (let i = 0, k = 0; i < n; i += 4) {
    const v = digit(i) << 18 | digit(i + 1) << 12 | digit(i + 2) << 6 | digit(i + 3);
    out[k++] = v >> 16;
    out[k++] = v >> 8;
    out[k++] = v;
  }
  return out;
}

/* ---- the whole ---- */

class Recording {
  constructor(data) {
    this.data = data;
    this.sites = data.sites.map((s, index) => ({...s, index, shared: s.memory === "shared", where: `${s.file}:${s.line}`}));
    this.parameters = data.parameters.flatMap(p => p[3]?.length ? this.members(p) : [p]);
    this.arrays = data.arrays.map(a => ({...a, shared: a.memory === "shared"})).flatMap(a => this.pieces(a)).map((a, index) => ({...a, index}));
    this.byBase = [...this.arrays].sort((a, b) => a.base - b.base);
    for (const a of this.arrays) this.nameArray(a);
    this.blocks = data.blocks.map((_, k) => null);
    this.lines = this.sumLines();
  }

  /* A struct's pointers as parameters, named by its members where its definition is among the files. */
  members([name, type, , words]) {
    const bare = type.replace(/<.*/s, "").replace(/.*::/, ""), body = this.data.files.map(f => new RegExp(`struct\\s+${bare}\\b[^{;]*\\{([^}]*)\\}`).exec(f.text)).find(Boolean)?.[1] ?? "";
    const names = body.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").split(";").flatMap(d => {
      const kind = /^\s*((?:const\s+)?[\w:<>]+)/.exec(d)?.[1] ?? "";
      return [...d.matchAll(/\*\s*(?:const\s+|__restrict__\s+)*(\w+)/g)].map(m => [m[1], kind]);
    });
    const inside = words.filter(w => this.data.arrays.some(a => a.memory !== "shared" && w >= a.base && w < a.base + a.bytes));
    return inside.map((w, i) => names.length === inside.length ? [`${name}.${names[i][0]}`, `${names[i][1]}*`, w] : [say`${name}, pointer ${i + 1}`, "*", w]);
  }

  /* Several arrays may lie in one allocation: one begins where a parameter of the kernel points to. */
  pieces(a) {
    if (a.shared) return [a];
    const starts = new Set(this.pointers(a).map(p => p[2])), all = [...starts.add(a.base)].sort((x, y) => x - y);
    return all.map((base, i) => ({...a, base, bytes: (all[i + 1] ?? a.base + a.bytes) - base}));
  }
  pointers(a) { return this.parameters.filter(p => /\*/.test(p[1]) && p[2] !== null && p[2] >= a.base && p[2] < a.base + a.bytes); }

  /* The kernel's parameter names an array that it points into. */
  nameArray(a) {
    const mine = a.memory === "global" ? this.pointers(a) : [];
    if (mine.length) {
      a.name = [...new Set(mine.map(p => p[0]))].join(", ");
      a.type = mine[0][1].replace(/\*.*$/, "").replace(/\b(const|volatile)\b/g, "").trim();
      a.type = SIZES[/<(.*)>/.exec(a.type)?.[1]] ? /<(.*)>/.exec(a.type)[1] : a.type;
    }
    a.name ||= a.shared ? "shared memory" : "memory";
    a.declared = a.memory === "global" ? null : this.declared(a);
    a.type ||= a.declared?.type ?? "";
    const rows = (this.data.rows || "").split(",").map(r => r.split("=")).find(([name]) => a.name.split(", ").includes(name));
    if (rows) [a.row, a.told] = [+rows[1], true];
    a.name = said(a.name);
    a.order = a.shared ? 1000 : mine.length ? this.parameters.indexOf(mine[0]) : 500;
  }

  /* How an array of shared or constant memory is declared: {type, dimensions: the texts between its brackets}; null: it is not found. */
  declared({name, memory}) {
    const pattern = new RegExp(`__${memory}__([^;]*?)\\b${name.replace(/\W/g, "\\$&")}\\s*((?:\\[[^\\]]*\\]\\s*)*)`);
    for (const f of this.data.files) {
      const found = pattern.exec(f.text), type = found && /\b(float4|float2|float|double|int4|int|unsigned|__half|half|__nv_bfloat16|char|short)\b/.exec(found[1]);
      if (found) return {type: type ? type[1] : "", dimensions: [...found[2].matchAll(/\[([^\]]*)\]/g)].map(m => m[1].trim())};
    }
    return null;
  }

  arrayAt(address) { /* the array that it lies in, or next to; undefined: none */
    const all = this.byBase;
    let lo = 0, hi = all.length;
    while (lo < hi) {
      const m = lo + hi >> 1;
      if (all[m].base <= address) lo = m + 1; else hi = m;
    }
    const before = all[lo - 1], after = all[lo];
    if (before && address < before.base + before.bytes) return before;
    if (after && after.base - address <= 512) return after;
    return before && address - before.base - before.bytes < 65536 ? before : after && after.base - address < 65536 ? after : undefined;
  }

  /* Sums of the launch by source line: {file, line, sites, requests, sectors, ...}. */
  sumLines() {
    const lines = new Map();
    for (const s of this.sites) {
      if (!lines.has(s.where)) lines.set(s.where, {file: s.file, line: s.line, sites: [], requests: 0, sectors: 0, ideal: 0, lanes: 0, instructions: 0, wavefronts: 0, conflicts: 0});
      const l = lines.get(s.where);
      l.sites.push(s);
      ["requests", "sectors", "ideal", "lanes", "instructions", "wavefronts", "conflicts"].forEach((name, i) => l[name] += s.sums[i]);
    }
    return lines;
  }

  block(k) { return this.blocks[k] ||= new Block(this, this.data.blocks[k], k); }
}

/* One block's steps, by number. */
class Block {
  constructor(recording, data, index) {
    this.recording = recording;
    this.index = index;
    this.at = data.block;
    this.threads = data.threads;
    this.warps = Math.ceil(data.threads / LANES);
    this.left = data.left;
    this.count = data.steps;
    this.width = Math.max(4, ...recording.sites.map(s => s.bytes));
    this.marks = data.marks.map(([finding, at, other]) => ({finding, at, other}));
    const n = data.steps;
    this.kind = new Uint8Array(n);
    this.site = new Int32Array(n).fill(-1);
    this.place = new Int32Array(n).fill(-1);
    this.warp = new Int16Array(n).fill(-1);
    this.active = new Uint32Array(n);
    this.address = new Float64Array(n * LANES);
    this.value = new Uint8Array(n * LANES * this.width);
    this.what = new Uint8Array(n);     /* of a meeting */
    this.source = new Map();           /* of a shuffle: step -> the lane that each lane reads */
    this.yes = new Map();              /* of a vote */
    this.interval = new Int32Array(n); /* how many barriers came before */
    this.barriers = [];
    this.decode(bytesOf(data.code));
    this.touched = new Map(); /* array index -> {element -> [first read, first write]} */
    this.recordTouches();
  }

  decode(code) {
    let i = 0, step = 0;
    const sites = this.recording.sites, last = new Float64Array(sites.length), patterns = [], memory = new Map();
    const number = () => {
      let v = 0, scale = 1;
      for (; code[i] > 127; scale *= 128) v += (code[i++] & 127) * scale;
      return v + code[i++] * scale;
    };
    const signed = () => { const v = number(); return v % 2 ? -(v + 1) / 2 : v / 2; };
    const mask = () => { i += 4; return (code[i - 4] | code[i - 3] << 8 | code[i - 2] << 16 | code[i - 1] << 24) >>> 0; };
    for (; step < this.count; step++) {
      const op = number();
      this.interval[step] = this.barriers.length;
      if (op === 0) {
        this.place[step] = number() - 1;
        this.barriers.push(step);
      } else if (op === 1) {
        this.kind[step] = MEETING;
        this.warp[step] = number();
        this.active[step] = mask();
        this.what[step] = code[i++];
        this.place[step] = number() - 1;
        if (this.what[step] === 1) { this.source.set(step, code.slice(i, i + LANES)); i += LANES; }
        if (this.what[step] === 2) this.yes.set(step, mask());
      } else {
        const site = op - 2, bytes = sites[site].bytes;
        this.kind[step] = ACCESS;
        this.site[step] = site;
        this.warp[step] = number();
        this.active[step] = mask();
        const lanes = lanesOf(this.active[step]);
        last[site] += signed();
        const p = number();
        if (p === patterns.length) patterns.push(lanes.map((l, k) => k ? signed() : 0));
        let address = last[site];
        lanes.forEach((l, k) => this.address[step * LANES + l] = address += patterns[p][k]);
        const values = mask();
        for (const l of lanesOf(values)) { /* into the memory that later steps read */
          const a = this.address[step * LANES + l];
          for (let b = 0; b < bytes; b++) memory.set(a + b, code[i++]);
          this.keep(step, l, a, bytes, memory);
        }
        for (const l of lanesOf((this.active[step] & ~values) >>> 0)) this.keep(step, l, this.address[step * LANES + l], bytes, memory);
      }
    }
  }
  keep(step, lane, a, bytes, memory) {
    const to = (step * LANES + lane) * this.width;
    for (let b = 0; b < bytes; b++) this.value[to + b] = memory.get(a + b);
  }

  addresses(step) { return this.address.subarray(step * LANES, (step + 1) * LANES); }
  bytes(step, lane, from, n) { const at = (step * LANES + lane) * this.width + from; return [...this.value.subarray(at, at + n)]; }

  recordTouches() {
    const r = this.recording;
    for (let s = 0; s < this.count; s++) { /* the width of the elements first */
      if (this.kind[s] !== ACCESS) continue;
      const a = r.arrayAt(this.addresses(s)[lanesOf(this.active[s])[0]]);
      if (!a) continue;
      const width = r.sites[this.site[s]].bytes;
      a.narrowest = Math.min(a.narrowest || 16, width);
    }
    for (const a of r.arrays) a.element = SIZES[a.type] || (a.narrowest > 8 ? 4 : a.narrowest) || 4;
    for (let s = 0; s < this.count; s++) {
      if (this.kind[s] !== ACCESS) continue;
      const site = r.sites[this.site[s]];
      for (const l of lanesOf(this.active[s])) {
        const address = this.address[s * LANES + l], a = r.arrayAt(address);
        if (!a) continue;
        if (!this.touched.has(a.index)) this.touched.set(a.index, new Map());
        const map = this.touched.get(a.index);
        for (let b = 0; b < site.bytes; b += a.element) {
          const e = Math.floor((address - a.base + b) / a.element);
          let t = map.get(e);
          if (!t) map.set(e, t = [Infinity, Infinity]);
          if (site.kind !== "store" && s < t[0]) t[0] = s;
          if (site.kind !== "load" && s < t[1]) t[1] = s;
        }
      }
    }
    for (const a of r.arrays) if (!a.told) a.row ||= this.rowLength(a);
  }

  /* How many elements a row has.  Candidates are the kernel's integer parameters, and of shared memory what divides its
   * size, unless its declaration says it; the one wins that most distances between lanes, and between steps of one line, are multiples of.  0: one row. */
  rowLength(a) {
    const r = this.recording, n = Math.floor(a.bytes / a.element), distances = new Map(), last = new Map();
    let looked = 0;
    for (let s = 0; s < this.count && looked < 4000; s++) {
      if (this.kind[s] !== ACCESS) continue;
      const at = this.addresses(s), lanes = lanesOf(this.active[s]);
      if (r.arrayAt(at[lanes[0]]) !== a) continue;
      looked++;
      const note = d => { d = Math.abs(d / a.element); if (d > 1 && d < n) distances.set(d, (distances.get(d) || 0) + 1); };
      for (let k = 1; k < lanes.length; k++) note(at[lanes[k]] - at[lanes[k - 1]]);
      const wide = Math.abs(at[lanes.at(-1)] - at[lanes[0]]) >= LANES * a.element;
      for (let k = 2; wide && k < lanes.length; k++) note(at[lanes[k]] - at[lanes[0]]);
      if (last.has(this.site[s])) for (let k = 0; k < 8; k++) note(at[lanes[0]] - last.get(this.site[s]));
      last.set(this.site[s], at[lanes[0]]);
    }
    const candidates = new Set();
    const inner = a.declared?.dimensions.at(-1);
    if (a.declared?.dimensions.length === 1 && inner) return 0;
    if (/^\d+$/.test(inner) && n % +inner === 0) return +inner;
    if (a.shared) { for (let d = a.declared?.dimensions.length > 1 ? 2 : 8; d <= n / 2 && d <= 4096; d++) if (n % d === 0) candidates.add(d); }
    else for (const [, type, value] of r.data.parameters) if (!/\*/.test(type) && value > 1 && value < n && n % value === 0) candidates.add(value);
    let best = 0, most = 0;
    for (const c of [...candidates].sort((x, y) => x - y)) {
      let score = 0;
      for (const [d, count] of distances) if (d % c === 0) score += count;
      if (score >= most && score > 0) [best, most] = [c, score];
    }
    return best;
  }

  /* ---- one step ---- */

  array(step) { return this.kind[step] === ACCESS ? this.recording.arrayAt(this.addresses(step)[lanesOf(this.active[step])[0]]) : undefined; }

  line(step) { /* [file, line], or null */
    const r = this.recording;
    if (this.kind[step] === ACCESS) return [r.sites[this.site[step]].file, r.sites[this.site[step]].line];
    return this.place[step] >= 0 ? r.data.places[this.place[step]] : null;
  }

  /* The hardware's work: {sectors, ideal} of global memory, {turns, needed, conflicts} of shared, {fetches} of constant. */
  work(step) {
    const site = this.recording.sites[this.site[step]], lanes = lanesOf(this.active[step]), at = this.addresses(step);
    if (site.memory === "constant") return {fetches: fetchesOf(at, lanes)};
    if (!site.shared) {
      const sectors = sectorsOf(at, lanes, site.bytes);
      return {sectors, ideal: idealSectors(lanes, site.bytes, sectors.length)};
    }
    const turns = turnsOf(at, lanes, site.bytes, site.kind === "atomic"), conflicts = turns.filter(t => t.extra).length;
    return {turns, needed: turns.length - conflicts, conflicts};
  }

  /* Sums over all recorded steps, by site: what the counters count. */
  sums() {
    const all = this.recording.sites.map(() => ({requests: 0, sectors: 0, ideal: 0, lanes: 0, instructions: 0, wavefronts: 0, conflicts: 0}));
    for (let s = 0; s < this.count; s++) {
      if (this.kind[s] !== ACCESS) continue;
      const t = all[this.site[s]], w = this.work(s);
      t.lanes += lanesOf(this.active[s]).length;
      if (w.sectors) { t.requests++; t.sectors += w.sectors.length; t.ideal += w.ideal; }
      else if (w.turns) { t.instructions++; t.wavefronts += w.turns.length; t.conflicts += w.conflicts; }
    }
    return all;
  }

  /* ---- elements ---- */

  elementName(a, e) {
    if (e < 0 || (e + 1) * a.element > a.bytes) return say`${a.name}[${e}] (out of bounds)`;
    return a.row ? `${a.name}[${Math.floor(e / a.row)}][${e % a.row}]` : `${a.name}[${e}]`;
  }

  /* What is known of an element at a step: {value, by: the step that wrote it last, thread}. */
  elementAt(a, e, step) {
    const lo = a.base + e * a.element;
    let value = null, by = -1, thread = -1, read = -1;
    for (let s = 0; s < this.count && (s <= step || value === null); s++) {
      if (this.kind[s] !== ACCESS) continue;
      const site = this.recording.sites[this.site[s]];
      for (let l = 0; l < LANES; l++) {
        const at = this.address[s * LANES + l];
        if (!(this.active[s] >>> l & 1) || lo < at || lo + a.element > at + site.bytes) continue;
        if (s > step && site.kind !== "load") return {value, by, thread, read}; /* not known before it was written */
        value = this.bytes(s, l, lo - at, a.element);
        if (site.kind !== "load") [by, thread] = [s, this.warp[s] * LANES + l];
        else if (s <= step) read = s;
      }
    }
    return {value, by, thread, read};
  }

  laneWords(step, lane, a) {
    const site = this.recording.sites[this.site[step]], width = a?.element ?? site.bytes, values = [];
    for (let b = 0; b < site.bytes; b += width) values.push(valueText(a?.type ?? "", this.bytes(step, lane, b, width)));
    const name = a ? this.elementName(a, Math.floor((this.addresses(step)[lane] - a.base) / width)) : said("memory outside any array"), value = values.join(", ");
    return site.kind === "load" ? say`${lane}: ${name} is ${value}` : say`${lane}: ${name} becomes ${value}`;
  }

  /* Asynchronous copies, cp.async say: {array, element, from, until}: begun in step `from`, there for all who waited from step
   * `until` on. */
  get flights() {
    if (this.allFlights) return this.allFlights;
    const open = new Map(), r = this.recording;
    this.allFlights = [];
    for (let s = 0; s < this.count; s++) {
      const site = r.sites[this.site[s]];
      if (this.kind[s] !== ACCESS || !site.async || !site.shared || site.kind !== "store") continue;
      for (const l of lanesOf(this.active[s])) {
        const at = this.addresses(s)[l], a = r.arrayAt(at);
        for (let b = 0; a && b < site.bytes; b += a.element) {
          if (site.async === "arrives") {
            const flight = open.get(at + b);
            if (flight) flight.until = s;
            open.delete(at + b);
          } else {
            const flight = {array: a, element: Math.floor((at + b - a.base) / a.element), from: s, until: Infinity};
            open.set(at + b, flight);
            this.allFlights.push(flight);
          }
        }
      }
    }
    return this.allFlights;
  }
  inFlight(a, step) { return this.flights.filter(f => f.array === a && f.from <= step && step < f.until).map(f => f.element); }

  /* ---- moving ---- */

  nextOfWarp(step, way) {
    const w = this.warp[step];
    for (let s = step + way; s >= 0 && s < this.count; s += way) if (this.warp[s] === w || (w < 0 && this.warp[s] === 0)) return s;
    return step;
  }
  nextBarrier(step, way) {
    const all = way > 0 ? this.barriers.filter(s => s > step) : this.barriers.filter(s => s < step).reverse();
    return all.length ? all[0] : way > 0 ? this.count - 1 : 0;
  }
  nextFinding(step) {
    const all = this.marks.flatMap(m => [m.at, m.other]).filter(s => s >= 0).sort((a, b) => a - b);
    return all.find(s => s > step) ?? all[0] ?? step;
  }
  thread(warp, lane) { /* threadIdx in words */
    const t = warp * LANES + lane, [x, y, z] = this.recording.data.launch.block;
    return z > 1 ? `(${t % x},${Math.floor(t / x) % y},${Math.floor(t / x / y)})` : y > 1 ? `(${t % x},${Math.floor(t / x)})` : String(t % x);
  }

  /* What is asynchronous about a step: where its copy began, or when it is waited for. */
  asyncWords(step, site) {
    const [l] = lanesOf(this.active[step]), a = this.array(step), at = this.addresses(step)[l];
    const lineOf = s => say`line ${this.line(s)?.[1]}, step ${s}`;
    if (site.async === "begins") {
      const flight = this.flights.find(f => f.from === step);
      return flight && flight.until < Infinity ? say` (an asynchronous copy begins; it is waited for at ${lineOf(flight.until)})`
        : say` (an asynchronous copy begins; nothing recorded waits for it)`;
    }
    if (site.async !== "arrives") return "";
    const flight = site.shared && this.flights.find(f => f.until === step && f.array === a && f.element === Math.floor((at - a.base) / a.element));
    return flight ? say` (an asynchronous copy that is waited for here; it began at ${lineOf(flight.from)})` : say` (an asynchronous copy that is waited for here)`;
  }

  /* What happens, in a sentence. */
  words(step) {
    const kind = this.kind[step];
    if (kind === BARRIER) return say`All ${this.threads} threads of the block have reached the barrier and go on.`;
    const lanes = lanesOf(this.active[step]), n = lanes.length, who = say`Warp ${this.warp[step]}`;
    const many = n === LANES ? say`its 32 lanes` : n === 1 ? say`lane ${lanes[0]} alone` : say`${n} of its 32 lanes`;
    if (kind === MEETING) {
      if (this.what[step] === 2) return say`${who}: ${many} vote, ${lanesOf(this.yes.get(step)).length} say yes.`;
      if (this.what[step] === 1) return say`${who}: ${many} shuffle: each reads a register of another lane.`;
      return say`${who}: ${many} meet (${said(MEETINGS[this.what[step]] || "exchange")}).`;
    }
    const site = this.recording.sites[this.site[step]], a = this.array(step), w = this.work(step);
    const verb = said({load: ["read", "reads"], store: ["write", "writes"], atomic: ["change, atomically,", "changes, atomically,"]}[site.kind][n === 1 ? 1 : 0]);
    const part = this.asyncWords(step, site), name = a ? a.name : said("memory outside any array");
    const what = n > 1 ? say`${who}: ${many} ${verb} ${site.bytes} bytes each of ${name}${part}` : say`${who}: ${many} ${verb} ${site.bytes} bytes of ${name}${part}`;
    const count = (w.sectors || w.fetches || w.turns).length, s = plural(count);
    if (w.sectors)
      return count > w.ideal ? say`${what}: ${count} sector${s} of 32 bytes, where ${w.ideal} would do.` : say`${what}: ${count} sector${s} of 32 bytes, no more than needed.`;
    if (w.fetches)
      return count === 1 ? say`${what} in constant memory: all want the same address, one fetch serves them.`
        : say`${what} in constant memory: ${count} different addresses, fetched one after the other.`;
    if (!w.conflicts) return say`${what} in shared memory: ${count} turn${s} of the banks, no conflict.`;
    return site.kind === "atomic" ? say`${what} in shared memory: ${count} turn${s} of the banks, ${w.conflicts} of them because lanes change words of one bank one after the other.`
      : say`${what} in shared memory: ${count} turn${s} of the banks, ${w.conflicts} of them because lanes want different words of one bank.`;
  }
}
