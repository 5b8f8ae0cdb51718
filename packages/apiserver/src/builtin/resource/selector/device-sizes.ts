import type { Range } from '../../../custom/cel/estimate/range.ts';
import {
  MAX_ATTRIBUTE_LENGTH,
  MAX_ATTRIBUTES_AND_CAPACITIES,
  MAX_DOMAIN_LENGTH,
  MAX_DRIVER_LENGTH,
  MAX_ID_LENGTH,
} from '../limits.ts';

/** How large what is at a path from `device` can be, for the estimate of an expression's cost. */
export function deviceSizeAt([root, field, ...path]: readonly string[]): Range | undefined {
  if (root !== 'device') return undefined;
  switch (field) {
    case undefined:
    case 'allowMultipleAllocations':
      return path.length === 0 ? upTo(0) : undefined;
    case 'driver':
      return path.length === 0 ? upTo(MAX_DRIVER_LENGTH) : undefined;
    case 'attributes':
      return sizeInDomains(path, MAX_ATTRIBUTE_LENGTH);
    case 'capacity':
      return sizeInDomains(path, undefined);
    default:
      return undefined;
  }
}

/**
 * @param path below the map of domains
 * @param maxValue the size of one value that is selected by its name; undefined when nothing is known of it
 */
function sizeInDomains(path: readonly string[], maxValue: number | undefined): Range | undefined {
  const [domain, name, ...rest] = path;
  if (domain === undefined) return upTo(MAX_ATTRIBUTES_AND_CAPACITIES);
  if (domain === '@keys') return name === undefined ? upTo(MAX_DOMAIN_LENGTH) : undefined;
  // Domains have dots and are written in brackets, which the estimate knows as one of the values.
  if (domain !== '@values' && domain !== '@items') return undefined;
  if (name === undefined) return upTo(MAX_ATTRIBUTES_AND_CAPACITIES);
  if (rest.length > 0) return undefined;
  if (name === '@keys') return upTo(MAX_ID_LENGTH);
  if (name === '@values' || name === '@items') return upTo(maxValue ?? 0);
  return maxValue === undefined ? undefined : upTo(maxValue);
}

function upTo(max: number): Range {
  return { min: 0, max };
}
