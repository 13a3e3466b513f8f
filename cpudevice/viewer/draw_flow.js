
/* draw_flow.js: where values go: from lane to lane, and from barrier to barrier through shared memory. */

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
  parts.push(text(2, 13, block.what[step] === 1 ? say`lanes of warp ${block.warp[step]}: an arrow brings a value from one lane to another`
    : say`lanes of warp ${block.warp[step]}: ${said(MEETINGS[block.what[step]])}`));
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
  parts.push(text(left, 13, say`${a.name}[0] to [${n - 1}], from barrier to barrier: from what a thread reads to what it writes`));
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
  return picture("tree", width, rowAt(shown.length) + height + 4, say`how the elements of ${a.name} flow together`, parts);
}
