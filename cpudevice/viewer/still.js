
/* still.js: one picture of one step for the notes. */

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
