/** A resource in any of its versions. The core group is empty. */
export interface GroupResource {
  readonly group: string;
  /** The lower-case plural. */
  readonly resource: string;
}

/** A kind in any of its versions. The core group is empty. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `deployments.apps`, `pods`. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Deployment.apps`, `Pod`. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
