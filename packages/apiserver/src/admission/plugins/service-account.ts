import type { DeepReadonly } from '@windlass/apimachinery';
import { randomSuffix } from '@windlass/apimachinery';
import { type Container, Pod, ServiceAccount, type Volume } from '@windlass/apimachinery/api/core/v1';
import { type Clock, type Random, sleep } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import { getOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden, isOf, objectOf } from '../request-kind.ts';

export interface ServiceAccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

const DEFAULT_ACCOUNT = 'default';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const MIRROR = 'kubernetes.io/config.mirror';
/** The account of a namespace that was just made comes a moment later. */
const ATTEMPTS = 10;
const ATTEMPT_MS = 100;
/** Tokens are renewed after an hour; the seconds beyond let those who watch for it tell them from others. */
const TOKEN_SECONDS = 3607;

/** Every pod runs as a service account that exists, and finds its token, the authority and its namespace. */
export function serviceAccount(options: ServiceAccountOptions): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    handles: (request) => isOf(request, Pod, ['CREATE']),
    async mutate(request) {
      const pod = objectOf(request, Pod);
      if (pod.spec === undefined) return;
      if (pod.metadata?.annotations?.[MIRROR] !== undefined) {
        checkMirror(request, pod);
        return;
      }
      const given = pod.spec.serviceAccountName ?? '';
      const name = given === '' ? DEFAULT_ACCOUNT : given;
      pod.spec.serviceAccountName = name;
      // The old name of the field, which clients still read.
      pod.spec.serviceAccount = name;
      const account = await find(options, request, name);
      const isMounted = pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
      if (isMounted) mountToken(pod.spec, options.random);
      const secrets = account.imagePullSecrets ?? [];
      if ((pod.spec.imagePullSecrets ?? []).length === 0 && secrets.length > 0)
        pod.spec.imagePullSecrets = secrets.map((secret) => ({ ...secret }));
    },
  };
}

/** A mirror of what a node runs by itself has no identity to give away. */
function checkMirror(request: AdmissionRequest, { spec }: Pod): void {
  if ((spec?.serviceAccountName ?? '') !== '')
    throw forbidden(request, 'a mirror pod may not reference service accounts');
  if (
    spec?.volumes?.some(({ projected }) =>
      projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken),
    )
  )
    throw forbidden(request, 'a mirror pod may not use ServiceAccountToken volume projections');
}

async function find(
  { store, clock }: ServiceAccountOptions,
  request: AdmissionRequest,
  name: string,
): Promise<DeepReadonly<ServiceAccount>> {
  const attempts = name === DEFAULT_ACCOUNT ? ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    const account = await getOfKind(store, ServiceAccount, name, request.namespace);
    if (account !== undefined) return account;
    if (attempt === attempts) break;
    await sleep(clock, ATTEMPT_MS, request.context.signal);
  }
  throw forbidden(
    request,
    `error looking up service account ${request.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

function mountToken(spec: NonNullable<Pod['spec']>, random: Random): void {
  const containers: Container[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const wanting = containers.filter(
    ({ volumeMounts }) => !(volumeMounts ?? []).some(({ mountPath }) => mountPath === MOUNT_PATH),
  );
  if (wanting.length === 0) return;
  const volumes = spec.volumes ?? [];
  const known = volumes.find(
    ({ name, projected }) => name.startsWith('kube-api-access-') && projected !== undefined,
  );
  const name = known?.name ?? `kube-api-access-${randomSuffix(random)}`;
  for (const container of wanting) {
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath: MOUNT_PATH },
    ];
  }
  if (known === undefined) spec.volumes = [...volumes, tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}
