import { GROUP } from './custom-definition.ts';
import { type Json, range, record, type Shape } from './shape.ts';

export const CUSTOM_PATH = `/apis/${GROUP}/v1/namespaces/default/growths`;

const custom = (spec: Json, rest: Json = {}): Json => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Growth',
  metadata: { name: 'grown' },
  spec,
  ...rest,
});

function deep(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

const customShape = (
  name: string,
  most: number,
  spec: (count: number, at: number) => Json,
  rest: Partial<Shape> = {},
): Shape => ({
  name: `custom: ${name}`,
  path: CUSTOM_PATH,
  most,
  isCustom: true,
  status: true,
  scale: true,
  make: (count, at) => custom(spec(count, at)),
  ...rest,
});

export const CUSTOM_SHAPES: readonly Shape[] = [
  customShape('map list', 80_000, (count, at) => ({
    map: range(count, (i) => ({ name: `n${i}`, value: `v${at}` })),
  })),
  customShape('map list in another order', 80_000, (count, at) => ({
    map: range(count, (i) => ({ name: `n${at % 2 === 0 ? i : count - 1 - i}`, value: `v${at}` })),
  })),
  customShape('map list of other keys', 80_000, (count, at) => ({
    map: range(count, (i) => ({ name: `n${i}-${at}`, value: 'v' })),
  })),
  customShape('map list of two keys', 60_000, (count, at) => ({
    pairs: range(count, (i) => ({ port: i, protocol: i % 2 === 0 ? 'TCP' : 'UDP', value: `v${at}` })),
  })),
  customShape(
    'map list of one key',
    80_000,
    (count, at) => ({ map: range(count, () => ({ name: 'same', value: `v${at}` })) }),
    { answers: 422 },
  ),
  customShape('map list with rules', 20_000, (count, at) => ({
    ruled: range(count, (i) => ({ name: `n${i}`, value: `v${at}` })),
  })),
  customShape('nested map lists', 8_000, (count, at) => ({
    nested: range(count, (i) => ({
      name: `n${i}`,
      inner: range(10, (k) => ({ name: `k${k}`, value: `v${at}` })),
    })),
  })),
  customShape('set', 250_000, (count, at) => ({ set: range(count, (i) => `n${i + at}`) })),
  customShape('set of one value', 250_000, (count) => ({ set: range(count, () => 'same') }), {
    answers: 422,
  }),
  customShape('set of objects', 80_000, (count, at) => ({
    objects: range(count, (i) => ({ a: `n${i + at}`, b: i })),
  })),
  customShape('atomic list', 250_000, (count, at) => ({ atomic: range(count, (i) => `n${i + at}`) })),
  customShape('atomic list with defaults', 80_000, (count) => ({ atomicObjects: range(count, () => ({})) })),
  customShape('fields', 120_000, (count, at) => ({ fields: record(count, (i) => [`k${i}`, `v${at}`]) })),
  customShape('free fields', 120_000, (count, at) => ({ free: record(count, (i) => [`k${i}`, `v${at}`]) })),
  customShape('depth', 900, (count, at) => ({ free: { a: deep(count, { x: 'y'.repeat(100) + at }) } })),
  customShape('deep trees', 800, (count, at) => ({
    free: record(count, (i) => [`k${i}`, deep(600, at)]),
  })),
  customShape('unknown fields', 150_000, (count) => record(count, (i) => [`u${i}`, 1])),
  customShape('fields of a wrong type', 150_000, (count) => ({ set: range(count, (i) => i) }), {
    answers: 422,
  }),
  customShape('fields that are required', 150_000, (count) => ({ map: range(count, () => ({})) }), {
    answers: 422,
  }),
  customShape('texts with a pattern', 150_000, (count) => ({ patterned: range(count, (i) => `a-b${i}`) })),
  customShape('a long text with a pattern', 2_500_000, (count) => ({ pattern: 'a'.repeat(count) })),
  customShape(
    'a long text that misses its pattern',
    2_500_000,
    (count) => ({ pattern: `${'a'.repeat(count)}!` }),
    {
      answers: 422,
    },
  ),
  customShape('number or text', 250_000, (count) => ({
    either: range(count, (i) => (i % 2 === 0 ? i : `n${i}`)),
  })),
  customShape('embedded objects', 25_000, (count, at) => ({
    embedded: range(count, (i) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${i}` },
      data: { a: `v${at}` },
    })),
  })),
];
