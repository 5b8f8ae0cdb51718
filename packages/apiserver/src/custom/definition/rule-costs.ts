import { type FieldError, type FieldPath, fieldForbidden, type Schema } from '@windlass/apimachinery';

/** What a rule, or the text that it says, can cost in one object. */
export interface RuleCost {
  readonly path: FieldPath;
  readonly cost: number;
}

/** The most that one rule may cost, and all rules of a schema together. */
export const MAX_RULE_COST = 10_000_000;
const MAX_SCHEMA_COST = 100_000_000;
/** So many are named of those that cost much, and only those that cost a part of all. */
const NAMED = 4;
const SMALL_PART = 100;

/** `what` exceeds its budget by so much. */
export function costMessage(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown =
    factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** What is wrong with all rules of a schema together. */
export function totalCostErrors(costs: readonly RuleCost[], path: FieldPath): FieldError[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= MAX_SCHEMA_COST) return [];
  const named = costs
    .filter(({ cost }) => cost >= MAX_SCHEMA_COST / SMALL_PART)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, NAMED)
    .map((rule) =>
      fieldForbidden(
        rule.path,
        'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      ),
    );
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [...named, fieldForbidden(path, costMessage(what, total, MAX_SCHEMA_COST))];
}

/**
 * How often the parts of a schema can be there, when the schema itself can be there `times`. Undefined when nothing
 * limits it.
 */
export function partsCardinality(schema: Schema, times: number | undefined): number | undefined {
  const most = mostParts(schema);
  return times === undefined || most === undefined ? undefined : times * most;
}

function mostParts({ type, additionalProperties, maxProperties, maxItems }: Schema): number | undefined {
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(0, maxItems);
  if (type !== 'object' || additionalProperties === undefined) return 1;
  return maxProperties === undefined ? undefined : Math.max(0, maxProperties);
}
