import type { ResourceType } from '@windlass/apimachinery';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from './options/controller-options.ts';

/** One controller of the controller manager. */
export interface ControllerDescription {
  /** As it is called in logs, metrics, events and lists of controllers. */
  readonly name: string;
  /** The short name that it has in lists, too. */
  readonly alias: string;
  /** How many keys it works on at a time. */
  readonly concurrency: number;
  /** The flag that changes that; several controllers may share one. Undefined: it is fixed. */
  readonly concurrencyFlag: string | undefined;
  /** Kinds that an older cluster may not serve, without which there is nothing to do for it. @default none */
  readonly needs?: readonly Pick<ResourceType, 'group' | 'version' | 'plural'>[];
  /** Makes it a part of the manager. */
  readonly add: (manager: Manager, options: ControllerOptions) => unknown;
}
