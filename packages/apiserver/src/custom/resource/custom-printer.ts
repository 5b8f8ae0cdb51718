import { type DeepReadonly, humanDuration, parseTime } from '@windlass/apimachinery';
import { ageOf, NAME_COLUMN } from '../../resource/default-printer.ts';
import type { TableColumn, TablePrinter } from '../../resource/definition.ts';
import type { PrinterColumn } from '../definition/definition-object.ts';
import { findByJsonPath, type JsonPath, parseJsonPath } from '../json-path.ts';
import { canonicalJson } from '../schema/canonical.ts';

type Cell = string | number | bigint | boolean | null;

const AGE: TableColumn = {
  name: 'Age',
  type: 'date',
  description: 'Custom resource definition column (in JSONPath format): .metadata.creationTimestamp',
  priority: 0,
};

/** The name, and the columns that the definition asks for, or else the age. */
export function customPrinter(columns: DeepReadonly<PrinterColumn[]> | undefined): TablePrinter {
  if (columns === undefined || columns.length === 0) {
    return {
      columns: [NAME_COLUMN, AGE],
      cells: (object, now) => [object.metadata?.name ?? '', ageOf(object, now)],
    };
  }
  const found = columns.map((column) => ({ type: column.type, path: pathOf(column.jsonPath) }));
  return {
    columns: [NAME_COLUMN, ...columns.map(columnOf)],
    cells: (object, now) => [
      object.metadata?.name ?? '',
      ...found.map(({ type, path }) =>
        path === undefined ? null : cellOf(findByJsonPath(object, path)[0], type, now),
      ),
    ],
  };
}

function pathOf(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(text);
  } catch {
    // A path of a form that is not known shows nothing, as one that leads nowhere.
    return undefined;
  }
}

function columnOf({
  name,
  type,
  format,
  description,
  priority,
  jsonPath,
}: DeepReadonly<PrinterColumn>): TableColumn {
  return {
    name,
    // Validation let no other in.
    type: type as TableColumn['type'],
    ...(format !== undefined && format !== '' && { format }),
    description:
      description === undefined || description === ''
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority: priority ?? 0,
  };
}

function cellOf(value: unknown, type: string, now: number): Cell {
  if (value === undefined || (value === null && type !== 'string')) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? since(value, now) : null;
  }
}

function since(text: string, now: number): string {
  try {
    return humanDuration(now - parseTime(text));
  } catch {
    return '<invalid>';
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<nil>';
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : canonicalJson(value);
}
