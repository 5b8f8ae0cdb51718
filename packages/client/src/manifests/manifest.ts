import type { DynamicObject } from '../client.ts';

/** One object to apply, and where it is written. */
export interface Manifest {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  /** As it is written. */
  readonly namespace: string | undefined;
  readonly object: DynamicObject;
  /** For messages: `deploy/web.yaml, document 2`. */
  readonly from: string;
}

/** What names one object of a server. */
export type ObjectName = Pick<Manifest, 'group' | 'kind' | 'name' | 'namespace'>;

/** `Deployment.apps shop/web`. */
export function titleOf({ group, kind, namespace, name }: ObjectName): string {
  return `${groupKind({ group, kind })} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** As ApplySets write it: `ConfigMap`, `Deployment.apps`. */
export function groupKind({ group, kind }: Pick<Manifest, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}
