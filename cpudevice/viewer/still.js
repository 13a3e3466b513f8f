
/* still.js: one picture of one step for the notes. */

/* what: "LINE[@STEP][:view]"; view is sectors, banks, constant, array, tree, exchange or threads.  Throws what is wrong in words. */
function still(recording, what) {
  const found = /^(\d+)(?:@(\d+))?(?::(sectors|banks|constant|array|tree|exchange|threads))?$/.exec(what);
  if (!found) throw new Error(say`'${what}' is not LINE[@STEP][:sectors|banks|constant|array|tree|exchange|threads]`);
  const line = +found[1], views = found[3];
  for (let k = 0; k < recording.data.blocks.length; k++) {
    const block = recording.block(k), here = [];
    for (let s = 0; s < block.count; s++) if (block.line(s)?.[1] === line && block.kind[s] !== BARRIER) here.push(s);
    const step = found[2] === undefined ? preferred(block, here, views) : here.find(s => s === +found[2]);
    if (step === undefined) continue;
    const own = ownView(block, step), view = views || own, shared = block.kind[step] === ACCESS && recording.sites[block.site[step]].shared;
    if (["sectors", "banks", "constant", "exchange"].includes(view) && view !== own) throw new Error(say`step ${step} of line ${line} has no ${view}`);
    const drawn = view === "tree" ? shared && drawTree(block, block.array(step), step)
      : view === "array" ? block.array(step) && drawArray(block, block.array(step), step)
      : {sectors: drawSectors, banks: drawBanks, constant: drawConstant, exchange: drawExchange, threads: drawThreads}[view](block, step);
    if (!drawn) throw new Error(say`step ${step} of line ${line} has no ${view}`);
    return drawn.svg.replace(PATTERNS, `<style>${STILL_STYLE}</style><title>${escape(block.words(step))}</title>${PATTERNS}`);
  }
  throw new Error(found[2] === undefined ? say`line ${line} has no step in a recorded block` : say`line ${line} has no step ${found[2]}, nor another step in a recorded block`);
}
/* What a step is: of an exchange, or of one of the memories. */
const ownView = (block, step) => block.kind[step] === MEETING ? "exchange" : {global: "sectors", shared: "banks", constant: "constant"}[block.recording.sites[block.site[step]].memory];
/* Of a line with several kinds of steps the first that the view is for; of shuffles the last of a run. */
function preferred(block, steps, view) {
  let step = steps.find(s => !view || /array|tree|threads/.test(view) || ownView(block, s) === view) ?? steps[0];
  for (let i = 1; step !== undefined && block.what[step] === 1 && i < 6; i++) {
    const next = block.nextOfWarp(step, 1);
    if (block.kind[next] === MEETING && block.what[next] === 1) step = next;
  }
  return step;
}
