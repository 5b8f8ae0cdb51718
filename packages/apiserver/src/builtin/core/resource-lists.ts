import { Quantity } from '@windlass/apimachinery';
import { type Fields, objectAt } from '../values.ts';

const MILLI = -3;

/** Amounts of resources are kept to the thousandth, rounded up: nothing smaller was ever counted. */
export function roundResources(parent: Fields | undefined, ...fields: readonly string[]): void {
  for (const field of fields) {
    const amounts = objectAt(parent, field);
    if (amounts === undefined) continue;
    for (const [name, value] of Object.entries(amounts)) {
      if (typeof value !== 'string') continue;
      const quantity = Quantity.parse(value);
      const rounded = quantity.roundUp(MILLI);
      if (rounded !== quantity) amounts[name] = rounded.toString();
    }
  }
}
