/** The least and the most that something can be: a size, or a cost. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The largest that is counted; more is as much. */
const MOST = 2 ** 64;

export const ZERO: Range = { min: 0, max: 0 };
export const UNKNOWN: Range = { min: 0, max: MOST };

export function fixed(value: number): Range {
  return { min: value, max: value };
}

export function add(...ranges: readonly Range[]): Range {
  return ranges.reduce((a, b) => ({ min: limited(a.min + b.min), max: limited(a.max + b.max) }), ZERO);
}

export function multiply(a: Range, b: Range): Range {
  return { min: limited(a.min * b.min), max: limited(a.max * b.max) };
}

/** Parts of a step count as whole ones. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: limited(Math.ceil(min * factor)), max: limited(Math.ceil(max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function limited(value: number): number {
  return Math.min(value, MOST);
}
