// An object that grows: a shape makes one with `count` of something.

export type Json = Record<string, unknown>;

export interface Shape {
  readonly name: string;
  /** The collection's path. */
  readonly path: string;
  /** As many as fit into a body of 3 MB, or as the kind allows. */
  readonly most: number;
  /** The fewest that answer as the shape says: what is refused only above some count begins there. @default 1 */
  readonly least?: number;
  readonly make: (count: number, generation: number) => Json;
  /** The verbs that make sense for it. @default all */
  readonly scale?: true;
  readonly status?: true;
  /** Status of a create; others than 201 are shapes that are refused. @default 201 */
  readonly answers?: number;
  readonly isCustom?: boolean;
}

export function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function record<T>(count: number, make: (index: number) => readonly [string, T]): Record<string, T> {
  return Object.fromEntries(range(count, make));
}

export const CORE = '/api/v1/namespaces/default/';

export const apis = (group: string, plural: string, namespaced = true): string =>
  `/apis/${group}/${namespaced ? 'namespaces/default/' : ''}${plural}`;
