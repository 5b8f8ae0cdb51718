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
  const [left, right] = [one, other].map((text) => intervalsOf(text, completions));
  for (const [first, last] of left ?? [])
    for (const [from, to] of right ?? []) if (first <= to && from <= last) return Math.max(first, from);
  return undefined;
}

function intervalsOf(text: string, completions: number): Interval[] {
  const parts = text.split(',').map((part) => parseInterval(part, completions));
  return parts.filter((interval) => typeof interval !== 'string');
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
