import type { KubeObject } from '@windlass/apimachinery';

/** An object as it is kept, with where. */
export interface Kept {
  /** `/apps/deployments/default/web`. */
  readonly key: string;
  readonly object: KubeObject;
}
