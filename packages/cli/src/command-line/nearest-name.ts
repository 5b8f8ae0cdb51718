/** How far a word may be from what was meant. */
const FAR = 2;

/** The name that was probably meant: the nearest by letters changed, added and left out; undefined when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = FAR + 1;
  for (const name of names) {
    const distance = editDistance(word, name);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
