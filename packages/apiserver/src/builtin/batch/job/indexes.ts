type Interval = readonly [first: number, last: number];

/** How many indexes a text such as `1,3-5` names, or what is wrong with it. */
export function indexesProblem(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const [first, second] = interval;
    if (last !== undefined && last >= first)
      return `non-increasing order, previous: ${last}, current: ${first}`;
    total += second - first + 1;
    last = second;
  }
  return total;
}

/** The first index that both texts name; undefined when there is none. Parts that cannot be read are passed over. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [intervalsOf(one, completions), intervalsOf(other, completions)];
  // Side by side: a job may have a hundred thousand indexes, and each of them may stand alone.
  for (let i = 0, j = 0; ; ) {
    const [mine, theirs] = [left[i], right[j]];
    if (mine === undefined || theirs === undefined) return undefined;
    const [from, to] = [Math.max(mine[0], theirs[0]), Math.min(mine[1], theirs[1])];
    if (from <= to) return from;
    if (mine[1] < theirs[1]) i++;
    else j++;
  }
}

/** In the order of their first indexes. */
function intervalsOf(text: string, completions: number): Interval[] {
  const parts = text.split(',').map((part) => parseInterval(part, completions));
  return parts.filter((interval) => typeof interval !== 'string').sort(([a], [b]) => a - b);
}

/** What is wrong with it if it is none. */
function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2)
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit))
      return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, second = first] = numbers;
  if (limits.length > 1 && first >= second)
    return `non-increasing order, previous: ${first}, current: ${second}`;
  return [first, second];
}
