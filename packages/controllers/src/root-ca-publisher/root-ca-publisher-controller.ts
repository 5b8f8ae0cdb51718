import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { annotationsOf } from '../shared/meta.ts';
import { keepInEveryNamespace } from '../shared/namespace-object.ts';

const DESCRIPTION = 'kubernetes.io/description';

/** The certificate by which pods know the API server. Without a certificate there is nothing to do. */
export function addRootCaPublisherController(
  manager: Manager,
  { name, concurrency, rootCa }: ControllerOptions,
): void {
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
