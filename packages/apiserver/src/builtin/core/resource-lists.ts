import { Quantity } from '@windlass/apimachinery';

/** Amounts by the name of a resource. */
type Amounts = Record<string, string>;

const MILLI = -3;

/**
 * Amounts of resources are kept to the thousandth, rounded up: nothing smaller was ever counted.
 *
 * @param fields which fields of `parent` are amounts
 */
export function roundResources<Field extends string>(
  parent: NoInfer<{ [Name in Field]?: Amounts | null }> | undefined,
  ...fields: readonly Field[]
): void {
  for (const field of fields) {
    const amounts = parent?.[field] ?? undefined;
    if (amounts === undefined) continue;
    for (const [name, value] of Object.entries(amounts)) {
      const quantity = Quantity.parse(value);
      const rounded = quantity.roundUp(MILLI);
      if (rounded !== quantity) amounts[name] = rounded.toString();
    }
  }
}
