// What the tables of several kinds are made of.
import { parseTime, selectorFromLabels, selectorFromObject } from '@windlass/apimachinery';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import { NAME_COLUMN } from '../../resource/default-printer.ts';
import type { TableColumn, TablePrinter } from '../../resource/definition.ts';
import type { View } from '../../resource/views.ts';
import { asSelector } from './selectors.ts';

export { AGE_COLUMN, ageOf, NAME_COLUMN, since } from '../../resource/default-printer.ts';

export type Cell = string | number | boolean | null;

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

interface Named {
  readonly metadata?: { readonly name?: string; readonly creationTimestamp?: string };
}

/** A column that is always shown. */
export function column(name: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, priority: 0 };
}

/** A column of the wide form only. */
export function wide(name: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, priority: 1 };
}

/** Name first, then what the kind adds. */
export function printer<S extends Named>(
  columns: readonly TableColumn[],
  cells: (object: S, now: number) => readonly Cell[],
): TablePrinter<S> {
  return {
    columns: [NAME_COLUMN, ...columns],
    cells: (object, now) => [nameOf(object), ...cells(object, now)],
  };
}

/** For kinds that have no printer of their own upstream: the date is given as it is, and clients render it. */
export const namedAndDated: TablePrinter<Named> = printer([column('Created At', 'date')], (object: Named) => [
  object.metadata?.creationTimestamp ?? null,
]);

export function nameOf(object: Named): string {
  return object.metadata?.name ?? '';
}

/** The condition of this type; undefined when there is none. */
export function conditionOf<C extends { readonly type?: string }>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(
  conditions: readonly { readonly type?: string; readonly status?: string }[] | null | undefined,
  type: string,
): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

/** Milliseconds; undefined where there is no time. */
export function timeOf(time: string | null | undefined): number | undefined {
  return time === undefined || time === null || time === '' ? undefined : parseTime(time);
}

/** `a=b,c=d`, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | null | undefined): string {
  return selectorFromLabels(labels ?? {}).toString() || NONE;
}

/** A selector as text, or `<none>` where it selects everything or nothing is said. */
export function selectorText(selector: View<LabelSelector> | undefined): string {
  if (selector === undefined) return NONE;
  try {
    return selectorFromObject(asSelector(selector)).toString() || NONE;
  } catch {
    return '<error>';
  }
}

/** The first few, and how many more there are. */
export function listWithMore(items: readonly string[], max: number, separator = ','): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}
