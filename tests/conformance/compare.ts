import type { Spec } from './spec.ts';

export interface Comparison {
  /** Specs that fail and are not expected to: the lane fails for each. */
  readonly worse: readonly Spec[];
  /** Specs that pass although they are expected to fail: the list is to be shortened. */
  readonly better: readonly Spec[];
  /** Expected failures of which the suite knows nothing: the list is out of date. */
  readonly unknown: readonly string[];
}

/**
 * What a run says about the list of expected failures. A spec that was not run says nothing, and a part of the suite
 * (`isWhole` false) says nothing about names that it does not have.
 */
export function compareRuns(
  specs: readonly Spec[],
  expected: ReadonlyMap<string, string>,
  { isWhole }: { readonly isWhole: boolean },
): Comparison {
  const names = new Set(specs.map(({ name }) => name));
  return {
    worse: specs.filter(({ name, outcome }) => outcome === 'failed' && !expected.has(name)),
    better: specs.filter(({ name, outcome }) => outcome === 'passed' && expected.has(name)),
    unknown: isWhole ? [...expected.keys()].filter((name) => !names.has(name)) : [],
  };
}
