import type { ResourceDefinition } from '../resource/definition.ts';
import type { Stored } from '../resource/strategy.ts';
import type { ServerList } from './exchange.ts';

export type IncludeObject = 'Metadata' | 'Object' | 'None';

interface TableRow {
  readonly cells: readonly unknown[];
  readonly object?: unknown;
}

/** An object as bare metadata. */
export function toMetadata(object: Stored, version: string): object {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata ?? {},
  };
}

export function toMetadataList(list: ServerList, version: string): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: list.metadata,
    items: list.items.map(({ object }) => toMetadata(object as Stored, version)),
  };
}

export interface TableOptions {
  readonly definition: ResourceDefinition;
  readonly version: string;
  readonly include: IncludeObject;
  /** Wall time, for ages. */
  readonly now: number;
  /** On a watch only the first event says what the columns are. */
  readonly withColumns: boolean;
}

/** Objects as rows for people to read, as `kubectl get` shows them. */
export function toTable(metadata: object, objects: readonly Stored[], options: TableOptions): object {
  const { definition, version, now, withColumns } = options;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: withColumns
      ? definition.printer.columns.map(({ name, type, format = '', description = '', priority }) => ({
          name,
          type,
          format,
          description,
          priority,
        }))
      : null,
    rows: objects.map(
      (object): TableRow => ({ cells: definition.printer.cells(object, now), ...rowObject(object, options) }),
    ),
  };
}

function rowObject(object: Stored, { include, version }: TableOptions): { object?: unknown } {
  if (include === 'None') return { object: null };
  return { object: include === 'Object' ? object : toMetadata(object, version) };
}
