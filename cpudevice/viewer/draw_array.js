
/* draw_array.js: an array as a grid: what a step touches, and what was read and written before. */

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

/* Which rows and columns are shown, and where: all that the block touches if there is room, else a part round `centre`.
 * zoom: pixels of a cell; 0: as fits. */
function gridOf(a, elements, centre, width, height, zoom, top) {
  const row = a.row || LANES, left = 46, gap = 12;
  const rows = new Set(elements.map(e => Math.floor(e / row))), columns = new Set(elements.map(e => e - Math.floor(e / row) * row));
  const spread = list => Math.max(1, runs(list, 1e9, 0).all.reduce((n, [p, q]) => n + q - p + 1, 0));
  const fit = Math.min((width - left - 4) / spread(columns), (height - top) / spread(rows));
  const cell = zoom || Math.max(5, Math.min(18, Math.floor(fit)));
  const cols = runs(columns, Math.floor((width - left - 4) / cell), ((centre % row) + row) % row), lines = runs(rows, Math.floor((height - top) / cell), Math.floor(centre / row));
  const X = positions(cols.all, cell, gap), Y = positions(lines.all, cell, gap);
  const cellAt = e => { const y = Math.floor(e / row), x = e - y * row; return X.at.has(x) && Y.at.has(y) ? [left + X.at.get(x), top + Y.at.get(y)] : null; };
  return {row, left, top, cell, cols: cols.all, lines: lines.all, cut: cols.cut || lines.cut, X, Y, cellAt, bottom: top + Y.size};
}

/* The array's name and shape; how many lines of text that is. */
function heading(a, width, parts) {
  const n = Math.floor(a.bytes / a.element), first = a.row ? say`${a.name}: ${Math.ceil(n / a.row)} × ${a.row}` : say`${a.name}: ${n} elements, drawn ${LANES} per row`;
  const more = [a.type, {shared: say`shared memory`, constant: say`constant memory`}[a.memory]].filter(Boolean).join(said(", ")), two = more && 7.8 * columns(first + more) > width;
  parts.push(text(2, 13, more && !two ? first + said(", ") + more : first, `font-weight="600"`));
  if (two) parts.push(text(2, 28, more, `class="soft"`));
  return two ? 2 : 1;
}

/* marks: elements to point out, [element, words]. */
function drawArray(block, a, step, width = 640, height = 420, zoom = 0, marks = []) {
  const touched = block.touched.get(a.index) || new Map(), parts = [], notes = [], limit = Math.floor(a.bytes / a.element);
  const here = block.array(step) === a ? accessed(block, a, step) : new Map(), other = here.size ? new Map() : lastOfWarp(block, a, step);
  const centre = (here.size ? here : other).keys().next().value ?? touched.keys().next().value ?? 0, top = 19 + 15 * heading(a, width, parts);
  const g = gridOf(a, [...new Set([...touched.keys(), ...marks.map(m => m[0])])], centre, width, height, zoom, top);
  axisLabels(g, a.row, parts);
  background(g, limit, parts);
  history(touched, step, g, parts);
  if (here.size && a.memory === "global") for (const s of block.work(step).sectors) sectorBox(a, s, g, here, parts);
  const flying = block.inFlight(a, step).filter(e => g.cellAt(e));
  for (const e of flying) parts.push(rect(...g.cellAt(e), g.cell, g.cell, `class="flying"`));
  for (const [e, lanes] of here) {
    const p = g.cellAt(e), several = lanes.length > 1 && g.cell >= 17 ? "+" : "";
    if (!p) continue;
    parts.push(rect(p[0], p[1], g.cell, g.cell, `fill="${LANE_COLOURS[lanes[0]]}" class="now"`));
    if (here.get(e - 1)?.[0] !== lanes[0] && named(g.cell, lanes[0], g.cell >= 13 && !here.has(e - 1) && !here.has(e + 1))) parts.push(text(p[0] + g.cell / 2, p[1] + g.cell / 2 + 4, lanes[0] + several, `class="mid" font-size="11" style="fill:${laneText(lanes[0])}"`));
  }
  for (const [e, lanes] of other) { const p = g.cellAt(e); if (p) parts.push(rect(p[0] + 1, p[1] + 1, g.cell - 2, g.cell - 2, `class="ring" stroke="${LANE_COLOURS[lanes[0]]}"`)); }
  for (const e of [...touched.keys()].filter(e => (e < 0 || e >= limit) && g.cellAt(e))) { const p = g.cellAt(e); parts.push(rect(p[0], p[1], g.cell, g.cell, `class="outside"`)); }
  if (flying.length) notes.push([say`⋯ dotted: ${flying.length} elements in flight, their asynchronous copies not yet waited for`, "soft"]);
  if (g.cut) notes.push([say`a part of what the block touches`, "soft"]);
  for (const [e, words] of marks) {
    const p = g.cellAt(e), x = p && p[0] + g.cell / 2, r = Math.max(g.cell * .9, 7);
    if (p) parts.push(`<circle class="mark" cx="${x}" cy="${p[1] + g.cell / 2}" r="${r}"/>`, `<path class="mark" d="M${x} ${p[1] + g.cell / 2 + r}V${g.bottom + 10 + 15 * notes.length}"/>`);
    if (p) notes.push([say`${a.name}[${e}]: ${words}`, "bad", x]);
  }
  notes.forEach(([words, how, x = g.left], i) => parts.push(text(Math.max(2, Math.min(x - 4, width - 7.2 * columns(words))), g.bottom + 21 + 15 * i, words, `class="${how}" font-size="${how === "soft" ? 11 : 12}"`)));
  const out = picture("array", Math.max(g.left + g.X.size + 4, Math.min(width, 500)), g.bottom + (notes.length ? 12 + 15 * notes.length : 4), say`${a.name} as a grid`, parts);
  out.hit = (x, y) => { /* the element under a point */
    for (const [c, cx] of g.X.at) if (x >= g.left + cx && x < g.left + cx + g.cell)
      for (const [q, qy] of g.Y.at) if (y >= g.top + qy && y < g.top + qy + g.cell) return q * g.row + c;
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

function axisLabels({cols, lines, X, Y, cell, left, top}, hasRows, parts) {
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
/* Cells; there are none behind the array's end. */
function background({cols, lines, X, Y, cell, left, top, row}, limit, parts) {
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
  for (const r of Y.at.keys())
    for (const [c0, c1] of cols) {
      const first = Math.max(c0, limit - r * row);
      if (first <= c1) parts.push(rect(left + X.at.get(first) - .5, top + Y.at.get(r) - (first === c0 ? -.5 : .5), (c1 - first + 1) * cell + 1, cell + 1, `class="beyond"`));
    }
}
/* What was read (blue) and written (ochre, with a bar at the foot) before, neighbours in one piece. */
function history(touched, step, {row, X, Y, cell, left, top}, parts) {
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
function sectorBox(a, sector, {cellAt, cell}, here, parts) {
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
