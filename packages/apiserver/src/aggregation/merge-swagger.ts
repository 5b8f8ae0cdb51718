import { deepEqual } from '@windlass/apimachinery';
import { appendAll, isRecord } from '@windlass/base';

export interface SwaggerDocument {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const PREFIX = '#/definitions/';

/**
 * Adds what another server serves below a path: its operations, and the definitions that these refer to. A definition
 * whose name means something else here gets a number.
 */
export function mergeSwagger(
  document: SwaggerDocument,
  other: Readonly<Record<string, unknown>>,
  below: string,
): SwaggerDocument {
  const paths = Object.fromEntries(
    Object.entries(recordOf(other['paths'])).filter(
      ([path]) => path === below || path === `${below}/` || path.startsWith(`${below}/`),
    ),
  );
  const definitions = recordOf(other['definitions']);
  const names = new Map<string, string>();
  for (const name of referredIn(paths, definitions))
    names.set(name, freeName(name, definitions[name], document.definitions));
  const added = [...names].map(([name, as]) => [as, renamed(definitions[name], names)] as const);
  return {
    ...document,
    paths: sorted({ ...document.paths, ...recordOf(renamed(paths, names)) }),
    definitions: sorted({ ...Object.fromEntries(added), ...document.definitions }),
  };
}

/** All definitions that are needed, each once; what they refer to is needed too. */
function referredIn(root: unknown, definitions: Readonly<Record<string, unknown>>): Set<string> {
  const needed = new Set<string>();
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) appendAll(waiting, value);
    else if (isRecord(value)) {
      const { $ref } = value;
      if (typeof $ref === 'string' && $ref.startsWith(PREFIX)) {
        const name = $ref.slice(PREFIX.length);
        if (!needed.has(name) && definitions[name] !== undefined) {
          needed.add(name);
          waiting.push(definitions[name]);
        }
      }
      appendAll(waiting, Object.values(value));
    }
  }
  return needed;
}

function freeName(name: string, definition: unknown, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let number = 2; taken[free] !== undefined && !deepEqual(taken[free], definition); number++)
    free = `${name}_v${number}`;
  return free;
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key !== '$ref' || typeof one !== 'string' || !one.startsWith(PREFIX))
        return [key, renamed(one, names)];
      const name = one.slice(PREFIX.length);
      return [key, PREFIX + (names.get(name) ?? name)];
    }),
  );
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function sorted(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
