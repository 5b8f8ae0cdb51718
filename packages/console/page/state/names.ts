const COLLATOR = new Intl.Collator('en', { numeric: true });

/** As people count: node-2 before node-10. */
export function compareNames(a: string, b: string): number {
  return COLLATOR.compare(a, b);
}
