import { humanDuration, parseTime } from '@windlass/apimachinery';
import type { TablePrinter } from './definition.ts';
import type { Stored } from './strategy.ts';

export const NAME_COLUMN = { name: 'Name', type: 'string', format: 'name', priority: 0 } as const;
export const AGE_COLUMN = { name: 'Age', type: 'string', priority: 0 } as const;

/** How long ago the object was made, as kubectl says it. */
export function ageOf(object: Stored, now: number): string {
  return since(object.metadata?.creationTimestamp, now);
}

export function since(time: string | undefined | null, now: number): string {
  if (time === undefined || time === null || time === '') return '<unknown>';
  return humanDuration(now - parseTime(time));
}

/** Name and age, for kinds that have nothing more to show. */
export const defaultPrinter: TablePrinter = {
  columns: [NAME_COLUMN, AGE_COLUMN],
  cells: (object, now) => [object.metadata?.name ?? '', ageOf(object, now)],
};
