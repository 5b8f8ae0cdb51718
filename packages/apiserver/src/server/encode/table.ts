import type { ServerList } from '../../exchange/exchange.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';

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
    items: list.items.map(({ object }) => toMetadata(object, version)),
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

/** A table without its rows. */
export function tableHead(metadata: object, { definition, version, withColumns }: TableOptions): object {
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
  };
}

export function tableRow(object: Stored, options: TableOptions): TableRow {
  return { cells: options.definition.printer.cells(object, options.now), ...rowObject(object, options) };
}

/** Objects as rows for people to read, as `kubectl get` shows them. */
export function toTable(metadata: object, objects: readonly Stored[], options: TableOptions): object {
  return { ...tableHead(metadata, options), rows: objects.map((object) => tableRow(object, options)) };
}

function rowObject(object: Stored, { include, version }: TableOptions): { object?: unknown } {
  if (include === 'None') return { object: null };
  return { object: include === 'Object' ? object : toMetadata(object, version) };
}
