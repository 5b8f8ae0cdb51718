import type { KubeObject } from '@windlass/apimachinery';

/** One write that took effect. */
export interface JournalEntry {
  readonly atMs: number;
  /** Whose request it was; `server` for what the API server does by itself. */
  readonly by: string;
  readonly verb: 'create' | 'update' | 'delete';
  /** `/apps/deployments/default/web`. */
  readonly key: string;
  readonly revision: number;
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}
