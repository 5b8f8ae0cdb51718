import { ConfigMap, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../controller-options.ts';
import { annotationsOf } from '../shared/meta.ts';
import { keepInEveryNamespace } from './namespace-object.ts';

const DESCRIPTION = 'kubernetes.io/description';

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

/** The certificate by which pods know the API server. Without a certificate there is nothing to do. */
export function addRootCaPublisher(manager: Manager, { name, concurrency, rootCa }: ControllerOptions): void {
  if (rootCa === undefined) return;
  keepInEveryNamespace<ConfigMap>(manager, {
    name,
    concurrency,
    type: ConfigMap,
    objectName: 'kube-root-ca.crt',
    content: { data: { 'ca.crt': rootCa } },
    annotations: {
      [DESCRIPTION]:
        'The certificate of the authority by which clients in the cluster know the API server. Do not change it.',
    },
    isRight: (map) => map.data?.['ca.crt'] === rootCa && Boolean(annotationsOf(map)[DESCRIPTION]),
  });
}
