import type { KubeObject } from './object.ts';

/** Carries the object's type at compile time only; nothing is there at run time. */
declare const OBJECT: unique symbol;

/**
 * A kind that an API server serves, as data: enough to build its URLs, with the object's type attached.
 * The generated modules declare one of the same name as each interface, so that
 * `client.resource(Deployment)` is typed and needs no discovery.
 */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The lower-case plural in URLs. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly [OBJECT]?: T;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}
