import { ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { keepInEveryNamespace } from '../shared/namespace-object.ts';

/** The account that pods have when they name none. */
export function addServiceAccountController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  keepInEveryNamespace<ServiceAccount>(manager, {
    name,
    concurrency,
    type: ServiceAccount,
    objectName: 'default',
    content: {},
    isRight: () => true,
  });
}
