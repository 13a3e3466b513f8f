
/* draw.js: pictures of one step, as SVG in strings.  No DOM: the page shows them, and a still picture is one of them. */

/* One colour for each lane, from dark to light in the way of viridis, which the colour-blind can follow; the darkest is light
 * enough to be seen on black. */
const LANE_COLOURS = (() => {
  const stops = ["#6a55c8", "#5468c0", "#3f7fb8", "#2e92a6", "#27a38e", "#43b878", "#74cb55", "#b0da34", "#f0e51c"];
  const parts = c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16));
  return Array.from({length: LANES}, (_, l) => {
    const x = l / (LANES - 1) * (stops.length - 1), i = Math.min(Math.floor(x), stops.length - 2), f = x - i;
    const [a, b] = [parts(stops[i]), parts(stops[i + 1])];
    return "#" + a.map((v, k) => Math.round(v + (b[k] - v) * f).toString(16).padStart(2, "0")).join("");
  });
})();
const laneText = l => l < 14 ? "#ffffff" : "#101010";

/* The pictures' own style, so that a still one has it too: legible on white and on dark. */
const PICTURE_STYLE = `
.v { font: 12px system-ui, "DejaVu Sans", sans-serif; }
.v text { fill: var(--v-text, #1a1d21); }
.v .soft { fill: var(--v-soft, #57606b); }
.v .cell { fill: var(--v-cell, #eef1f4); stroke: var(--v-line, #c3cad2); stroke-width: .5; }
.v .read { fill: var(--v-read, #b7d3f2); }
.v .written { fill: var(--v-written, #f3cf9b); }
.v .waste { fill: url(#v-waste); stroke: var(--v-line, #c3cad2); stroke-width: .5; }
.v .sector { fill: none; stroke: var(--v-text, #1a1d21); stroke-width: 1.5; }
.v .bad { fill: var(--v-bad, #b42318); }
.v text.bad { font-weight: 600; }
.v .halo { paint-order: stroke; stroke: var(--v-halo, #ffffff); stroke-width: 5px; stroke-linejoin: round; }
.v .late { stroke: var(--v-bad, #b42318); stroke-width: 2.5; }
.v .now { stroke: var(--v-text, #1a1d21); stroke-width: 1; }
.v .ring { fill: none; stroke-width: 2.5; }
.v .off { fill: none; stroke: var(--v-line, #c3cad2); stroke-dasharray: 2 2; }
.v .wire { fill: none; stroke-width: 1.6; }
.v .under { fill: none; stroke: var(--v-text, #1a1d21); stroke-width: 2.6; opacity: .35; }
.v .mark { fill: none; stroke: var(--v-bad, #b42318); stroke-width: 2.5; }
.v .mid { text-anchor: middle; }
.v .end { text-anchor: end; }`;
const STILL_STYLE = PICTURE_STYLE + `
@media (prefers-color-scheme: dark) { svg { --v-text: #eceff3; --v-soft: #a3adb9; --v-cell: #23292f; --v-line: #4a535d; --v-read: #24476e;
  --v-written: #6e4a17; --v-bad: #ff8a75; --v-halo: #14171b; } }`;
const PATTERNS = `<defs><pattern id="v-waste" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
  `<rect width="5" height="5" fill="var(--v-cell, #eef1f4)"/><rect width="1.2" height="5" fill="var(--v-soft, #57606b)" opacity=".55"/></pattern>` +
  `</defs>`;

const escape = s => String(s).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const rect = (x, y, w, h, more) => `<rect x="${+x.toFixed(2)}" y="${+y.toFixed(2)}" width="${+w.toFixed(2)}" height="${+h.toFixed(2)}" ${more}/>`;
const text = (x, y, words, more = "") => `<text x="${+x.toFixed(2)}" y="${+y.toFixed(2)}" ${more}>${escape(words)}</text>`;
/* A curve from one lane or cell down to another, with an edge that shows it on any ground. */
function wire(colour, x0, y0, x1, y1, more = "") {
  const mid = (y0 + y1) / 2, d = `M${x0.toFixed(1)} ${y0}C${x0.toFixed(1)} ${mid} ${x1.toFixed(1)} ${mid} ${x1.toFixed(1)} ${y1}`;
  return `<path class="under" d="${d}"/><path class="wire" stroke="${colour}" ${more} d="${d}"/>`;
}
const picture = (name, width, height, label, parts) => ({name, width, height, label,
  svg: `<svg class="v" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" ` +
    `height="${Math.ceil(height)}" role="img" aria-label="${escape(label)}">${PATTERNS}${parts.join("")}</svg>`});

/* ---- lanes and the sectors they touch ---- */

/* A row of 32 lanes; what is masked out is an empty box. */
function laneRow(x, y, w, h, active, parts) {
  for (let l = 0; l < LANES; l++) {
    const on = active >>> l & 1, lx = x + l * w;
    parts.push(rect(lx + .5, y, w - 1, h, on ? `fill="${LANE_COLOURS[l]}" class="now"` : `class="off"`));
    if (w >= 14) parts.push(text(lx + w / 2, y + h / 2 + 4, l, `class="mid" font-size="11" style="fill:${on ? laneText(l) : "var(--v-soft, #57606b)"}"`));
  }
}

function drawSectors(block, step, width = 640) {
  const r = block.recording, site = r.sites[block.site[step]], work = block.work(step), at = block.addresses(step);
  const lanes = lanesOf(block.active[step]), parts = [], laneWidth = (width - 4) / LANES, n = work.sectors.length;
  const label = `${lanes.length} lanes touch ${n} sectors of 32 bytes; ${work.ideal} would do`;
  parts.push(text(2, 14, `lanes of warp ${block.warp[step]}`));
  laneRow(2, 20, laneWidth, 20, block.active[step], parts);
  const perRow = width < 480 ? 2 : 4, rows = Math.ceil(n / perRow), wired = n <= perRow, top = wired ? 84 : 58;
  const each = (width - 4 - (perRow - 1) * 10) / perRow, cell = each / 8, height = 18, rowHeight = 40;
  const place = new Map(work.sectors.map((s, i) => [s, [2 + i % perRow * (each + 10), top + Math.floor(i / perRow) * rowHeight]]));
  const used = new Map(); /* word -> lanes */
  for (const l of lanes)
    for (let b = 0; b < site.bytes; b += Math.min(4, site.bytes)) {
      const word = Math.floor((at[l] + b) / 4);
      if (!used.has(word)) used.set(word, []);
      if (!used.get(word).includes(l)) used.get(word).push(l);
    }
  for (const [s, [x, y]] of place) {
    for (let w = 0; w < 8; w++) {
      const who = used.get(s * 8 + w);
      parts.push(rect(x + w * cell, y, cell, height, who ? `fill="${LANE_COLOURS[who[0]]}" class="now"` : `class="waste"`));
      if (who && cell >= 14) parts.push(text(x + (w + .5) * cell, y + 13, who.length > 1 ? who[0] + "+" : who[0], `class="mid" font-size="11" style="fill:${laneText(who[0])}"`));
      if (who && wired)
        for (const l of who) {
          parts.push(wire(LANE_COLOURS[l], 2 + (l + .5) * laneWidth, 41, x + (w + .5) * cell, y - 1));
        }
    }
    parts.push(rect(x, y, each, height, `class="sector"`));
    const a = r.arrayAt(s * 32 + 31) ?? r.arrayAt(s * 32), e = a ? Math.floor((s * 32 - a.base) / a.element) : 0;
    if (a) parts.push(text(x, y + height + 13, shortName(block, a, Math.max(e, 0)) + " …", `class="soft" font-size="11"`));
  }
  const end = top + rows * rowHeight + 6, less = n > work.ideal;
  parts.push(text(2, end, `${less ? "✕ " : ""}${n} sector${n === 1 ? "" : "s"} of 32 bytes fetched, ${less ? `where ${work.ideal} would do` : "no more than needed"}`, `class="${less ? "bad" : "soft"}"`));
  return picture("sectors", width, end + 6, label, parts);
}
const shortName = (block, a, e) => block.elementName(a, e).replace(/^dynamic shared memory/, "shared");

/* ---- the banks of shared memory, turn by turn ---- */

function drawBanks(block, step, width = 640) {
  const work = block.work(step), parts = [], left = 66, cell = (width - left - 2) / BANKS, n = work.turns.length, height = n > 8 ? 14 : 18;
  const label = `${n} turns of the 32 banks, ${work.conflicts} of them because of conflicts`;
  parts.push(text(2, 13, "32 banks: in a turn each serves one word"));
  for (let b = 0; b < BANKS; b += cell < 14 ? 4 : 1) parts.push(text(left + (b + .5) * cell, 30, b, `class="mid soft" font-size="11"`));
  const most = 33, shown = Math.min(n, most);
  for (let t = 0; t < shown; t++) {
    const turn = work.turns[t], y = 36 + t * (height + 2), bad = turn.extra;
    parts.push(text(left - 6, y + height / 2 + 4, bad ? `turn ${t + 1} ✕` : `turn ${t + 1}`, `class="end ${bad ? "bad" : "soft"}" font-size="11"`));
    const serves = new Map(turn.serves.map(([bank, word, lanes]) => [bank, lanes]));
    for (let b = 0; b < BANKS; b++) {
      const who = serves.get(b);
      parts.push(rect(left + b * cell, y, cell, height, who ? `fill="${LANE_COLOURS[who[0]]}" class="${bad ? "late" : "now"}"` : `class="cell"`));
      if (who && cell >= 12) parts.push(text(left + (b + .5) * cell, y + height / 2 + 4, who.length > 1 ? who[0] + "+" : who[0], `class="mid" font-size="11" style="fill:${laneText(who[0])}"`));
    }
  }
  let y = 36 + shown * (height + 2) + 14;
  const words = work.conflicts ? `✕ ${work.conflicts} extra turn${work.conflicts > 1 ? "s" : ""}: lanes want different words of one bank`
    : `no conflict: ${work.needed === 1 ? "one turn serves all" : work.needed + " turns for accesses this wide"}`;
  parts.push(text(2, y, words, work.conflicts ? `class="bad"` : `class="soft"`));
  return picture("banks", width, y + 8, label, parts);
}

/* ---- an array as a grid ---- */

/* Runs of rows or columns that the block touches, neighbours joined; wide gaps are left out. */
function runs(indices, most, centre) {
  const sorted = [...indices].sort((a, b) => a - b), all = [];
  for (const i of sorted) {
    const last = all[all.length - 1];
    if (last && i - last[1] <= 3) last[1] = i; else all.push([i, i]);
  }
  let total = all.reduce((n, [a, b]) => n + b - a + 1, 0);
  if (total <= most) return {all, cut: false};
  const window = []; /* round the centre, in steps of half of what fits, so that it does not follow each step */
  const flat = all.flatMap(([a, b]) => Array.from({length: b - a + 1}, (_, k) => a + k)), half = Math.max(1, most >> 1);
  const c = flat.findIndex(i => i >= centre), from = Math.max(0, Math.min((Math.floor(Math.max(c, 0) / half)) * half - (half >> 1), flat.length - most));
  for (const i of flat.slice(from, from + most)) {
    const last = window[window.length - 1];
    if (last && i - last[1] <= 3) last[1] = i; else window.push([i, i]);
  }
  return {all: window, cut: true};
}

function positions(list, cell, gap) { /* index -> place */
  const at = new Map(), gaps = [];
  let x = 0;
  list.forEach(([a, b], k) => {
    if (k) { gaps.push(x); x += gap; }
    for (let i = a; i <= b; i++, x += cell) at.set(i, x);
  });
  return {at, size: x, gaps};
}

/* zoom: pixels of a cell; 0: as fits. `marks`: elements to point out, [element, words]. */
function drawArray(block, a, step, width = 640, height = 420, zoom = 0, marks = []) {
  const touched = block.touched.get(a.index) || new Map(), row = a.row || LANES, parts = [];
  const here = block.array(step) === a ? accessed(block, a, step) : new Map();
  const other = here.size ? new Map() : lastOfWarp(block, a, step), centre = (here.size ? here : other).keys().next().value ?? touched.keys().next().value ?? 0;
  const elements = [...new Set([...touched.keys(), ...marks.map(m => m[0])])], rows = new Set(elements.map(e => Math.floor(e / row)));
  const columns = new Set(elements.map(e => e - Math.floor(e / row) * row)), left = 46, top = 34, gap = 12;
  const spread = list => list.reduce((n, [p, q]) => n + q - p + 1, 0);
  const fit = Math.min((width - left - 4) / Math.max(1, spread(runs(columns, 1e9, 0).all)), (height - top) / Math.max(1, spread(runs(rows, 1e9, 0).all)));
  const cell = zoom || Math.max(5, Math.min(18, Math.floor(fit)));
  const cols = runs(columns, Math.floor((width - left - 4) / cell), ((centre % row) + row) % row), lines = runs(rows, Math.floor((height - top) / cell), Math.floor(centre / row));
  const X = positions(cols.all, cell, gap), Y = positions(lines.all, cell, gap);
  const shape = a.row ? `${Math.ceil(a.bytes / a.element / a.row)} × ${a.row}` : `${Math.floor(a.bytes / a.element)} elements, drawn ${LANES} a row`;
  const heading = `${a.name}: ${shape}${a.type ? ", " + a.type : ""}${a.shared ? ", shared memory" : ""}`;
  parts.push(text(2, 13, heading, `font-weight="600"`));
  if (cols.cut || lines.cut) parts.push(text(2, top + Y.size + 15, "a part of what the block touches", `class="soft" font-size="11"`));
  axisLabels(cols.all, lines.all, X, Y, cell, left, top, a.row, parts);
  const cellAt = e => { const y = Math.floor(e / row), x = e - y * row; return X.at.has(x) && Y.at.has(y) ? [left + X.at.get(x), top + Y.at.get(y)] : null; };
  background(cols.all, lines.all, X, Y, cell, left, top, parts);
  history(touched, step, row, X, Y, cell, left, top, parts);
  if (here.size && !a.shared) for (const s of block.work(step).sectors) sectorBox(a, s, cellAt, cell, here, parts);
  for (const [e, lanes] of here) {
    const p = cellAt(e);
    if (!p) continue;
    parts.push(rect(p[0], p[1], cell, cell, `fill="${LANE_COLOURS[lanes[0]]}" class="now"`));
    if (cell >= 14) parts.push(text(p[0] + cell / 2, p[1] + cell / 2 + 4, lanes.length > 1 ? lanes[0] + "+" : lanes[0], `class="mid" font-size="11" style="fill:${laneText(lanes[0])}"`));
  }
  for (const [e, lanes] of other) { const p = cellAt(e); if (p) parts.push(rect(p[0] + 1, p[1] + 1, cell - 2, cell - 2, `class="ring" stroke="${LANE_COLOURS[lanes[0]]}"`)); }
  const late = []; /* over all else */
  for (const [e, words] of marks) {
    const p = cellAt(e);
    if (p) late.push(`<circle class="mark" cx="${p[0] + cell / 2}" cy="${p[1] + cell / 2}" r="${Math.max(cell * .9, 7)}"/>`, text(p[0] + cell + 8, p[1] + cell / 2 + 4, words, `class="bad halo"`));
  }
  parts.push(...late);
  const out = picture("array", Math.max(left + X.size + 4, 7.6 * heading.length), top + Y.size + (cols.cut || lines.cut ? 20 : 4), `${a.name} as a grid`, parts);
  out.hit = (x, y) => { /* the element under a point */
    for (const [c, cx] of X.at) if (x >= left + cx && x < left + cx + cell)
      for (const [q, qy] of Y.at) if (y >= top + qy && y < top + qy + cell) return q * row + c;
    return null;
  };
  return out;
}

/* element -> lanes that touch it in this step */
function accessed(block, a, step) {
  const map = new Map(), at = block.addresses(step), bytes = block.recording.sites[block.site[step]].bytes;
  for (const l of lanesOf(block.active[step]))
    for (let b = 0; b < bytes; b += a.element) {
      const e = Math.floor((at[l] - a.base + b) / a.element);
      if (map.has(e)) map.get(e).push(l); else map.set(e, [l]);
    }
  return map;
}
/* The same of what this warp touched last in another array, since the last barrier: where its lanes come from. */
function lastOfWarp(block, a, step) {
  for (let s = step - 1; s >= 0 && block.interval[s] === block.interval[step]; s--)
    if (block.kind[s] === ACCESS && block.warp[s] === block.warp[step] && block.array(s) === a) return accessed(block, a, s);
  return new Map();
}

function axisLabels(cols, lines, X, Y, cell, left, top, hasRows, parts) {
  let free = -1;
  for (const [a, b] of cols)
    for (let i = a; i <= b; i += Math.max(1, Math.ceil(64 / cell / 8) * 8)) {
      const x = left + X.at.get(i);
      if (x < free) continue;
      parts.push(text(x, top - 6, i, `class="soft" font-size="11"`));
      free = x + 8 * String(i).length + 8;
    }
  free = -1;
  for (const [a, b] of lines)
    for (let i = a; i <= b; i++) {
      const y = top + Y.at.get(i);
      if (y < free) continue;
      parts.push(text(left - 5, y + Math.min(cell, 16) / 2 + 5, hasRows ? i : i * LANES, `class="soft end" font-size="11"`));
      free = y + 13;
    }
}
function background(cols, lines, X, Y, cell, left, top, parts) {
  for (const [r0, r1] of lines)
    for (const [c0, c1] of cols) {
      const x = left + X.at.get(c0), y = top + Y.at.get(r0), w = (c1 - c0 + 1) * cell, h = (r1 - r0 + 1) * cell;
      parts.push(rect(x, y, w, h, `class="cell"`));
      if (cell < 7) continue;
      let d = "";
      for (let i = 1; i <= c1 - c0; i++) d += `M${x + i * cell} ${y}v${h}`;
      for (let i = 1; i <= r1 - r0; i++) d += `M${x} ${y + i * cell}h${w}`;
      parts.push(`<path d="${d}" stroke="var(--v-line, #c3cad2)" stroke-width=".5"/>`);
    }
}
/* What was read (blue) and written (ochre, with a bar at the foot) before, neighbours in one piece. */
function history(touched, step, row, X, Y, cell, left, top, parts) {
  const byRow = new Map();
  for (const [e, [read, write]] of touched) {
    const state = write < step ? 2 : read < step ? 1 : 0, y = Math.floor(e / row), x = e - y * row;
    if (!state || !X.at.has(x) || !Y.at.has(y)) continue;
    if (!byRow.has(y)) byRow.set(y, []);
    byRow.get(y).push([x, state]);
  }
  for (const [y, list] of byRow) {
    list.sort((p, q) => p[0] - q[0]);
    for (let i = 0, k; i < list.length; i = k) {
      for (k = i + 1; k < list.length && list[k][0] === list[k - 1][0] + 1 && list[k][1] === list[i][1]; k++);
      const px = left + X.at.get(list[i][0]), py = top + Y.at.get(y), w = (k - i) * cell;
      parts.push(rect(px, py, w, cell, `class="${list[i][1] === 2 ? "written" : "read"}"`));
      if (list[i][1] === 2 && cell >= 7) parts.push(rect(px, py + cell - 2, w, 2, `fill="#a15c00"`));
    }
  }
}
function sectorBox(a, sector, cellAt, cell, here, parts) {
  const first = Math.floor((sector * SECTOR - a.base) / a.element), n = SECTOR / a.element, limit = Math.floor(a.bytes / a.element);
  let start = null, end = null;
  const close = () => { if (start) parts.push(rect(start[0], start[1], end[0] - start[0] + cell, cell, `class="sector"`)); start = end = null; };
  for (let e = Math.max(first, 0); e < Math.min(first + n, limit); e++) {
    const p = cellAt(e);
    if (!p || (end && (p[1] !== end[1] || p[0] !== end[0] + cell))) close();
    if (!p) continue;
    if (!here.has(e)) parts.push(rect(p[0], p[1], cell, cell, `class="waste"`));
    start ||= p;
    end = p;
  }
  close();
}

/* ---- what lanes exchange ---- */

/* The warp's shuffles up to this one since the last barrier or access, one below the other: a reduction's tree. */
function drawExchange(block, step, width = 640) {
  const list = [step], parts = [];
  for (let s = step - 1; s >= 0 && list.length < 6 && block.what[step] === 1; s--) {
    if (block.warp[s] !== block.warp[step] && block.kind[s] !== BARRIER) continue;
    if (block.kind[s] !== MEETING || block.what[s] !== 1) break;
    list.unshift(s);
  }
  const w = (width - 4) / LANES, gap = 46;
  laneRow(2, 20, w, 18, block.active[list[0]], parts);
  parts.push(text(2, 13, `lanes of warp ${block.warp[step]}: ${block.what[step] === 1 ? "an arrow brings a value from one lane to another" : MEETINGS[block.what[step]]}`));
  list.forEach((s, k) => {
    const y0 = 38 + k * (gap + 18), y1 = y0 + gap, from = block.source.get(s), yes = block.yes.get(s);
    for (const l of lanesOf(block.active[s])) {
      const f = from ? from[l] & 31 : l, x0 = 2 + (f + .5) * w, x1 = 2 + (l + .5) * w;
      if (from && f === l) continue;
      if (from) parts.push(wire(LANE_COLOURS[f], x0, y0 + 1, x1, y1 - 1));
      else if (yes !== undefined) parts.push(text(x1, y0 + 28, yes >>> l & 1 ? "✓" : "–", `class="mid"`));
    }
    laneRow(2, y1, w, 18, block.active[s], parts);
  });
  return picture("exchange", width, 38 + list.length * (gap + 18) + 4, block.words(step), parts);
}

/* An array of shared memory from barrier to barrier: an arrow comes from each element that a thread read to the one that it
 * wrote in the same stretch.  A reduction in shared memory is a tree.  null: too little flows to be worth a picture. */
function drawTree(block, a, step, width = 640) {
  const most = width < 480 ? 32 : 64, stretches = new Map();
  for (let s = 0; s < block.count; s++) {
    if (block.kind[s] !== ACCESS || block.array(s) !== a) continue;
    const k = block.interval[s], at = block.addresses(s), loads = block.recording.sites[block.site[s]].kind !== "store";
    if (!stretches.has(k)) stretches.set(k, {reads: new Map(), flows: []});
    const {reads, flows} = stretches.get(k);
    for (const l of lanesOf(block.active[s])) {
      const e = Math.floor((at[l] - a.base) / a.element), t = block.warp[s] * LANES + l;
      if (e < 0 || e >= most) continue;
      if (loads) reads.set(t, [...(reads.get(t) || []), e]);
      else for (const from of new Set(reads.get(t) || [])) flows.push([from, e, l, k]);
    }
  }
  const rows = [...stretches.values()].map(s => s.flows).filter(flows => flows.some(([from, to]) => from !== to));
  const n = Math.min(most, Math.floor(a.bytes / a.element));
  if (rows.length < 2 || rows.some(flows => flows.length > 4 * n)) return null;
  const parts = [], left = 2, cell = (width - 4) / n, gap = 34, height = 14, shown = rows.slice(0, 10);
  parts.push(text(left, 13, `${a.name}[0] to [${n - 1}], from barrier to barrier: from what a thread reads to what it writes`));
  const rowAt = k => 20 + k * (gap + height), line = (k, touched) => {
    for (let e = 0; e < n; e++) parts.push(rect(left + e * cell + .5, rowAt(k), cell - 1, height, touched.has(e) ? `class="written"` : `class="cell"`));
  };
  line(0, new Set(shown[0].map(f => f[0])));
  shown.forEach((flows, k) => {
    const y0 = rowAt(k) + height, y1 = rowAt(k + 1), now = flows[0][3] === block.interval[step];
    for (const [from, to, lane] of flows) {
      const x0 = left + (from + .5) * cell, x1 = left + (to + .5) * cell;
      parts.push(wire(LANE_COLOURS[lane], x0, y0, x1, y1, now ? `stroke-width="2.5"` : ""));
    }
    line(k + 1, new Set(flows.map(f => f[1])));
  });
  return picture("tree", width, rowAt(shown.length) + height + 4, `how the elements of ${a.name} flow together`, parts);
}

/* ---- threads as warps ---- */

function drawThreads(block, step, width = 640) {
  const parts = [], left = 62, cell = Math.min(14, (width - left - 130) / LANES), height = 13, barrier = block.kind[step] === BARRIER;
  const order = progress(block, step), shown = Math.min(block.warps, 32);
  parts.push(text(2, 13, barrier ? "all threads of the block meet at the barrier" : "a row is a warp of 32 threads; coloured: at work now"));
  for (let w = 0; w < shown; w++) {
    const y = 22 + w * (height + 3), now = block.warp[step] === w, there = Math.min(LANES, block.threads - w * LANES), p = order[w];
    parts.push(text(left - 6, y + 11, `warp ${w}`, `class="end ${now ? "" : "soft"}" font-size="11"${now ? ` font-weight="700"` : ""}`));
    for (let l = 0; l < there; l++) {
      const on = now && block.active[step] >>> l & 1;
      parts.push(rect(left + l * cell, y, cell - 1, height, on ? `fill="${LANE_COLOURS[l]}" class="now"` : now && !barrier ? `class="off"` : barrier ? `class="written"` : `class="cell"`));
    }
    const words = barrier ? "at the barrier" : p.all && p.done >= p.all ? (block.interval[step] < block.barriers.length ? "waits" : "done") : p.all ? `${p.done} of ${p.all} steps` : "";
    parts.push(text(left + LANES * cell + 6, y + 11, words, `class="${words === "waits" || barrier ? "" : "soft"}" font-size="11"`));
  }
  let y = 22 + shown * (height + 3) + 10;
  const idle = now => now >= 0 && !barrier ? Math.min(LANES, block.threads - now * LANES) - lanesOf(block.active[step]).length : 0;
  if (idle(block.warp[step])) { parts.push(text(left, y, `dashed: ${idle(block.warp[step])} lanes of the warp are masked out in this step`, `class="soft"`)); y += 14; }
  return picture("threads", width, y, `warps of the block at step ${step}`, parts);
}
/* How many of its steps between two barriers each warp has done. */
function progress(block, step) {
  const all = Array.from({length: block.warps}, () => ({done: 0, all: 0})), k = block.interval[step];
  let s = step;
  while (s > 0 && block.interval[s - 1] === k) s--;
  for (; s < block.count && block.interval[s] === k; s++) if (block.warp[s] >= 0) { all[block.warp[s]].all++; if (s <= step) all[block.warp[s]].done++; }
  return all;
}

/* ---- a still picture ---- */

/* what: "LINE[@STEP][:view]"; view is sectors, banks, array, tree, exchange or threads.  Throws what is wrong in words. */
function still(recording, what) {
  const found = /^(\d+)(?:@(\d+))?(?::(sectors|banks|array|tree|exchange|threads))?$/.exec(what);
  if (!found) throw new Error(`'${what}' is not LINE[@STEP][:sectors|banks|array|tree|exchange|threads]`);
  const line = +found[1], views = found[3];
  for (let k = 0; k < recording.data.blocks.length; k++) {
    const block = recording.block(k), here = [];
    for (let s = 0; s < block.count; s++) if (block.line(s)?.[1] === line && block.kind[s] !== BARRIER) here.push(s);
    const step = found[2] === undefined ? preferred(block, here, views) : here.find(s => s === +found[2]);
    if (step === undefined) continue;
    const view = views || (block.kind[step] === MEETING ? "exchange" : recording.sites[block.site[step]].shared ? "banks" : "sectors");
    const shared = block.kind[step] === ACCESS && recording.sites[block.site[step]].shared;
    if ((view === "banks") !== (shared && view === "banks") || (view === "sectors" && (shared || block.kind[step] !== ACCESS))) throw new Error(`step ${step} of line ${line} has no ${view}`);
    const drawn = view === "tree" ? shared && drawTree(block, block.array(step), step) : view === "array" ? drawArray(block, block.array(step), step) : {sectors: drawSectors, banks: drawBanks, exchange: drawExchange, threads: drawThreads}[view](block, step);
    if (!drawn) throw new Error(`step ${step} of line ${line} has no ${view}`);
    return drawn.svg.replace(PATTERNS, `<style>${STILL_STYLE}</style><title>${escape(block.words(step))}</title>${PATTERNS}`);
  }
  throw new Error(`line ${line} has no ${found[2] === undefined ? "" : `step ${found[2]}, nor another `}step in a recorded block`);
}
function preferred(block, steps, view) { /* of a line with loads and stores: the first step that the view is for; of shuffles the last of a run */
  let step = steps.find(s => !view || view === "array" || view === "tree" || view === "threads" || (block.kind[s] === MEETING ? view === "exchange" : (view === "banks") === block.recording.sites[block.site[s]].shared)) ?? steps[0];
  for (let i = 1; step !== undefined && block.what[step] === 1 && i < 6; i++) {
    const next = block.nextOfWarp(step, 1);
    if (block.kind[next] === MEETING && block.what[next] === 1) step = next;
  }
  return step;
}
