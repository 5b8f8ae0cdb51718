// Completion indexes as jobs write them: `0-2,5`.

/** Whole numbers in rising order; what is no index of the job is left out. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const found = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) continue;
    const last = Math.min(Number(match[2] ?? match[1]), completions - 1);
    for (let index = Number(match[1]); index <= last; index++) found.add(index);
  }
  return found;
}

export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...new Set(indexes)].toSorted((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    // Two in a row are two, more are a range.
    if (end === at) parts.push(`${sorted[at]}`);
    else if (end === at + 1) parts.push(`${sorted[at]}`, `${sorted[end]}`);
    else parts.push(`${sorted[at]}-${sorted[end]}`);
    at = end + 1;
  }
  return parts.join(',');
}
