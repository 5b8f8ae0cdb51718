const MAX_VALUE = 120;

/** The fields in which two JSON values differ, a line for each: `spec.containers[0].image: "a:1" and "a:2"`. */
export function fieldDifferences(a: unknown, b: unknown): string[] {
  return [...differences('', a, b)];
}

function* differences(path: string, a: unknown, b: unknown): Generator<string> {
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [index, item] of a.entries()) yield* differences(`${path}[${index}]`, item, b[index]);
  } else if (isPlain(a) && isPlain(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* differences(path === '' ? name : `${path}.${name}`, a[name], b[name]);
  } else if (JSON.stringify(a) !== JSON.stringify(b))
    yield `${path === '' ? 'all of it' : path}: ${valueText(a)} and ${valueText(b)}`;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
