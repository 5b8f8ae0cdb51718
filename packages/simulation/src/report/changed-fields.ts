/** Says nothing to a reader: who wrote which field, and the version that every write changes. */
const LEFT_OUT = new Set(['metadata.managedFields', 'metadata.resourceVersion']);
const MAX_VALUE = 200;

/** What a write changed, a line for each field: `spec.replicas: 2 → 3`. Lists are compared as a whole. */
export function changedFields(before: unknown, after: unknown): string[] {
  return [...changes('', before, after)];
}

function* changes(path: string, before: unknown, after: unknown): Generator<string> {
  if (LEFT_OUT.has(path)) return;
  if (isPlain(before) && isPlain(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names)
      yield* changes(path === '' ? name : `${path}.${name}`, before[name], after[name]);
    return;
  }
  const [was, is] = [valueText(before), valueText(after)];
  if (was !== is) yield `${path}: ${was} → ${is}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
