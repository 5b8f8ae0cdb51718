import { parseTime, selectorFromLabels, selectorFromObject } from '@windlass/apimachinery';
import type { TableColumn, TablePrinter } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { AGE_COLUMN, ageOf, NAME_COLUMN, since } from '../default-printer.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';

export { AGE_COLUMN, ageOf, NAME_COLUMN, since };

export type Cell = string | number | boolean | null;
/** By the kind's group, version and name. */
export type Printers = Readonly<Record<string, TablePrinter>>;

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** A column that is always shown. */
export function column(name: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, priority: 0 };
}

/** A column of the wide form only. */
export function wide(name: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, priority: 1 };
}

/** Name first, then what the kind adds. */
export function printer(
  columns: readonly TableColumn[],
  cells: (object: Stored, now: number) => readonly Cell[],
): TablePrinter {
  return {
    columns: [NAME_COLUMN, ...columns],
    cells: (object, now) => [nameOf(object), ...cells(object, now)],
  };
}

/** For kinds that have no printer of their own upstream: the date is given as it is, and clients render it. */
export const namedAndDated: TablePrinter = printer([column('Created At', 'date')], (object) => [
  object.metadata?.creationTimestamp ?? null,
]);

export function nameOf(object: Stored): string {
  return object.metadata?.name ?? '';
}

export function textAt(parent: Readonly<Fields> | undefined, field: string, fallback = ''): string {
  const value = parent?.[field];
  return typeof value === 'string' && value !== '' ? value : fallback;
}

export function numberAt(parent: Readonly<Fields> | undefined, field: string, fallback = 0): number {
  const value = parent?.[field];
  return typeof value === 'number' ? value : fallback;
}

export function textsAt(parent: Readonly<Fields> | undefined, field: string): string[] {
  const value = parent?.[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The status of the condition of this type; undefined when there is none. */
export function conditionOf(object: Stored, type: string): Fields | undefined {
  return objectsAt(objectAt(object, 'status'), 'conditions').find((condition) => condition['type'] === type);
}

export function isConditionTrue(object: Stored, type: string): boolean {
  return conditionOf(object, type)?.['status'] === 'True';
}

/** Milliseconds; undefined where there is no time. */
export function timeAt(parent: Readonly<Fields> | undefined, field: string): number | undefined {
  const text = textAt(parent, field);
  return text === '' ? undefined : parseTime(text);
}

/** `a=b,c=d`, or `<none>`. */
export function labelsText(labels: Fields | undefined): string {
  // The schema makes them texts.
  const text = selectorFromLabels((labels ?? {}) as Record<string, string>).toString();
  return text === '' ? NONE : text;
}

/** A selector as text, or `<none>` where it selects everything or nothing is said. */
export function selectorText(selector: Fields | undefined): string {
  if (selector === undefined) return NONE;
  try {
    const text = selectorFromObject(selector).toString();
    return text === '' ? NONE : text;
  } catch {
    return '<error>';
  }
}

export const CONTAINER_COLUMNS = [wide('Containers'), wide('Images')] as const;

/** Names and images of a template's containers. */
export function containerCells(podSpec: Fields | undefined): [string, string] {
  const containers = objectsAt(podSpec, 'containers');
  return [
    containers.map((container) => textAt(container, 'name')).join(','),
    containers.map((container) => textAt(container, 'image')).join(','),
  ];
}

export function templateSpec(object: Stored): Fields | undefined {
  return objectAt(objectAt(objectAt(object, 'spec'), 'template'), 'spec');
}

/** The first few, and how many more there are. */
export function listWithMore(items: readonly string[], max: number, separator = ','): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}
