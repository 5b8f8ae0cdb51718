import { type KubeObject, validateLabelValue } from '@windlass/apimachinery';
import { toLabelKey } from '../resources/index.ts';
import { InvalidRequestError } from './errors.ts';

/** Labels that an object must have. */
export type LabelQuery = ReadonlyMap<string, string>;

/** `key=value` texts, or lists of them with commas between. A key without a prefix gets ours. */
export function labelQuery(texts: readonly string[]): LabelQuery {
  const labels = new Map<string, string>();
  for (const text of texts.flatMap((list) => list.split(',')).filter((part) => part !== '')) {
    const [key = '', value] = text.split(/=(.*)/s);
    if (key === '' || value === undefined)
      throw new InvalidRequestError(`"${text}" is no label; write key=value`);
    const problems = validateLabelValue(value);
    if (problems.length > 0)
      throw new InvalidRequestError(`label value "${value}" is invalid: ${problems.join('; ')}`);
    labels.set(toLabelKey(key), value);
  }
  return labels;
}

export function matchesLabels(object: KubeObject, labels: LabelQuery): boolean {
  return labels.entries().every(([key, value]) => object.metadata?.labels?.[key] === value);
}

/** A request's address has to stay short; what is longer is sifted here alone. */
const MAX_VALUES = 64;

/** What of a query the server can answer. Values that are no labels' match nothing there, and nothing here either. */
export function selectorFor(
  sets: readonly (readonly [key: string, values: ReadonlySet<string>])[],
  labels: LabelQuery,
): { readonly labelSelector?: string } {
  const terms = [...labels].map(([key, value]) => `${key}=${value}`);
  for (const [key, values] of sets) {
    const isFit = [...values].every((value) => validateLabelValue(value).length === 0);
    if (values.size > 0 && values.size <= MAX_VALUES && isFit)
      terms.push(`${key} in (${[...values].join(',')})`);
  }
  return terms.length === 0 ? {} : { labelSelector: terms.join(',') };
}
