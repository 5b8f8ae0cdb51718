/** How many indexes a text such as `1,3-5` names, or what is wrong with it. */
export function indexesProblem(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last: number | undefined;
  for (const interval of text.split(',')) {
    const limits = interval.split('-');
    if (limits.length > 2)
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
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
    if (last !== undefined && last >= first)
      return `non-increasing order, previous: ${last}, current: ${first}`;
    total += second - first + 1;
    last = second;
  }
  return total;
}
