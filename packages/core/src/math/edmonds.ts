// The best tree, projective or not, by the algorithm of Chu & Liu (1965) and Edmonds (1967), as McDonald et al. (2005)
// use it for parsing: each word takes its best head, and cycles are contracted until there are none. O(n²) for each
// cycle.

/**
 * Scores of arcs over nodes 0 … n: that of head → dependent is at `head * (n + 1) + dependent`. Scores are finite;
 * those of arcs that are out of the question are very low.
 */
export type ArcScores = Float64Array;

/** The heads of the best tree over n words, and with several roots if `singleRoot` is false. */
export function edmonds(n: number, scores: ArcScores, singleRoot: boolean): Int32Array {
  const w = n + 1;
  const weights = scores.slice(0, w * w);
  if (singleRoot) {
    // Every tree has a root, so a second one is never worth what it costs.
    let range = 1;
    for (let head = 0; head < w; head++) {
      for (let d = 1; d < w; d++) if (d !== head) range += 2 * Math.abs(weights[head * w + d]!);
    }
    for (let d = 1; d < w; d++) weights[d]! -= range;
  }
  // For each arc between nodes that may stand for several words: the arc between words that it is.
  const headOf = new Int32Array(w * w);
  const dependentOf = new Int32Array(w * w);
  for (let head = 0; head < w; head++) {
    for (let d = 0; d < w; d++) {
      headOf[head * w + d] = head;
      dependentOf[head * w + d] = d;
    }
  }
  // A contracted cycle goes on as one of its nodes; `holder` says which node a word is part of.
  const active = Array.from({ length: n }, (_, i) => i + 1);
  const holder = Int32Array.from({ length: w }, (_, i) => i);
  const best = new Int32Array(w);
  const contractions: { nodes: number[]; arcs: number[]; holder: Int32Array }[] = [];
  for (;;) {
    for (const d of active) {
      let head = 0;
      for (const other of active) {
        if (other !== d && weights[other * w + d]! > weights[head * w + d]!) head = other;
      }
      best[d] = head;
    }
    const cycle = findCycle(active, best);
    if (!cycle) break;
    const arcs = cycle.map((d) => best[d]! * w + d).map((arc) => headOf[arc]! * w + dependentOf[arc]!);
    contractions.push({ nodes: cycle, arcs, holder: holder.slice() });
    const [kept, ...rest] = cycle as [number, ...number[]];
    const inCycle = new Set(cycle);
    const kepts = cycle.map((d) => weights[best[d]! * w + d]!);
    for (const other of [0, ...active]) {
      if (inCycle.has(other)) continue;
      // Into the cycle: the arc that gains most over the one of the cycle that it replaces. Out of it: the best.
      let into = -1;
      let gain = Number.NEGATIVE_INFINITY;
      let out = -1;
      cycle.forEach((member, m) => {
        const score = weights[other * w + member]! - kepts[m]!;
        if (score > gain) {
          gain = score;
          into = member;
        }
        if (other !== 0 && (out < 0 || weights[member * w + other]! > weights[out * w + other]!)) out = member;
      });
      copyArc(other * w + into, other * w + kept);
      weights[other * w + kept] = gain;
      if (out >= 0) {
        const score = weights[out * w + other]!;
        copyArc(out * w + other, kept * w + other);
        weights[kept * w + other] = score;
      }
    }
    for (const member of rest) active.splice(active.indexOf(member), 1);
    for (let word = 1; word < w; word++) if (inCycle.has(holder[word]!)) holder[word] = kept;
  }
  const heads = new Int32Array(w).fill(-1);
  for (const d of active) {
    const arc = best[d]! * w + d;
    heads[dependentOf[arc]!] = headOf[arc]!;
  }
  // Backwards: an arc leads into each contracted cycle, to one of its nodes; the others keep the arcs of the cycle.
  for (let c = contractions.length - 1; c >= 0; c--) {
    const { nodes, arcs, holder: before } = contractions[c]!;
    const inCycle = new Set(nodes);
    let entered = -1;
    for (let word = 1; word < w; word++) {
      if (heads[word]! >= 0 && inCycle.has(before[word]!)) entered = before[word]!;
    }
    nodes.forEach((node, m) => {
      if (node !== entered) heads[arcs[m]! % w] = Math.floor(arcs[m]! / w);
    });
  }
  return heads;

  function copyArc(from: number, to: number): void {
    headOf[to] = headOf[from]!;
    dependentOf[to] = dependentOf[from]!;
  }
}

function findCycle(active: readonly number[], best: Int32Array): number[] | undefined {
  const state = new Int8Array(best.length);
  for (const start of active) {
    let node = start;
    while (node !== 0 && state[node] === 0) {
      state[node] = 1;
      node = best[node]!;
    }
    if (node !== 0 && state[node] === 1) {
      const cycle = [node];
      for (let next = best[node]!; next !== node; next = best[next]!) cycle.push(next);
      return cycle;
    }
    for (node = start; node !== 0 && state[node] === 1; node = best[node]!) state[node] = 2;
  }
  return undefined;
}
