import type { ObjectKey } from '@windlass/apimachinery';

/** What happened, in the words of a watch or of the controller itself. */
export type ReasonType =
  /** An object that was there when the controller started. */
  | 'initial'
  | 'add'
  | 'update'
  | 'delete'
  /** Nothing changed: the informer reminds of what there is. */
  | 'resync'
  /** Something outside of the cluster, told through a channel or by `enqueue`. */
  | 'event'
  | 'timer'
  /** The run before failed. */
  | 'retry'
  /** The run before asked for another one. */
  | 'requeue';

/** Why a key is reconciled: one cause, of which a run may have several. */
export interface Reason {
  readonly type: ReasonType;
  /** Where it came from: `deployments.apps`, the name of a channel or a timer, or the controller. */
  readonly source: string;
  /** The object that it happened to, which need not be the one that is reconciled. */
  readonly object?: ObjectKey;
  /** The object's version then. */
  readonly resourceVersion?: string;
  /** For a retry, what failed; for other types, a word of whoever asked. */
  readonly message?: string;
}

/** `update of pods default/web-1 at 42`. */
export function reasonText({ type, source, object, resourceVersion, message }: Reason): string {
  const what = object === undefined ? source : `${source} ${object}`;
  const at = resourceVersion === undefined ? '' : ` at ${resourceVersion}`;
  return `${type} of ${what}${at}${message === undefined ? '' : `: ${message}`}`;
}
