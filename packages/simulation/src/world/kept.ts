import type { KubeObject } from '@windlass/apimachinery';

/** An object as it is kept, with where. */
export interface Kept {
  /** `/apps/deployments/default/web`. */
  readonly key: string;
  readonly object: KubeObject;
}

/** For people: `deployments.apps default/web`, of the key `/apps/deployments/default/web`. */
export function nameOfKey(key: string): string {
  const [, group = '', plural = '', ...rest] = key.split('/');
  return `${group === '' ? plural : `${plural}.${group}`} ${rest.join('/')}`;
}
