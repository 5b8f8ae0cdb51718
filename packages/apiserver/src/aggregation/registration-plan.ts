import { deepEqual } from '@windlass/apimachinery';
import type { APIServiceSpec } from '@windlass/apimachinery/api/apiregistration/v1';
import type { ApiServiceView } from './api-services.ts';

/** Says that the server made an APIService, and when it looks after it: once at its start, or always. */
export const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';
export const ON_START = 'onstart';
export const ALWAYS = 'true';

/** An APIService for a group version that this server serves itself. */
export interface Registration {
  readonly name: string;
  readonly sync: typeof ON_START | typeof ALWAYS;
  readonly spec: Readonly<APIServiceSpec>;
  /** Another server may take its place, and keeps it when this server starts again. */
  readonly isReplaceable: boolean;
}

export interface RegistrationState {
  readonly wanted: Registration | undefined;
  readonly current: ApiServiceView | undefined;
  /** Since the server started, the name has been looked after once. */
  readonly isSynced: boolean;
  /** It was there when the server started. */
  readonly wasThere: boolean;
}

export type RegistrationStep = 'none' | 'create' | 'update' | 'delete';

/**
 * What to do about one name. Whoever removes the label, or makes an APIService without it, has it for themselves.
 *
 *   current \ wanted                  | nothing     | on start    | always
 *   none                              | -           | create once | create
 *   not managed                       | -           | -           | -
 *   on start, made since the start    | -           | -           | -
 *   on start, there at the start      | delete once | update once | update once
 *   always                            | delete      | update once | update
 */
export function planRegistration(state: RegistrationState): RegistrationStep {
  const { wanted, current, isSynced, wasThere } = state;
  if (wanted?.sync === ON_START && isSynced) return 'none';
  if (current === undefined) return wanted === undefined ? 'none' : 'create';
  const managed = current.metadata?.labels?.[AUTOMANAGED];
  if (managed !== ON_START && managed !== ALWAYS) return 'none';
  if (managed === ON_START && (!wasThere || isSynced)) return 'none';
  if (wanted === undefined) return 'delete';
  if (wanted.isReplaceable && current.spec?.service !== undefined) return 'none';
  return deepEqual(current.spec, wanted.spec) ? 'none' : 'update';
}
