import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, EnvVar, Pod } from '@windlass/apimachinery/api/core/v1';
import { resourceValue } from '../volume-manager/pod-local/downward-api.ts';
import type { EnvironmentObjects } from './container-environment.ts';
import { expand } from './expand.ts';
import { MASTER_NAMESPACE, serviceVariables } from './service-variables.ts';

export interface EnvironmentSource {
  readonly objects: EnvironmentObjects;
  readonly podIP: string;
  readonly hostIP: string;
  readonly signal: AbortSignal;
}

/** The variables that services and a container's own spec give it. What is not there is left out. */
export async function environmentValues(
  pod: Cached<Pod>,
  container: DeepReadonly<Container>,
  source: EnvironmentSource,
): Promise<ReadonlyMap<string, string>> {
  const { objects, signal } = source;
  const { env = [], envFrom = [] } = container;
  const { namespace } = pod.metadata;
  const namespaces = [...new Set([MASTER_NAMESPACE, namespace])];
  const services = await Promise.all(namespaces.map((each) => objects.services(each, signal)));
  const areLinked = pod.spec?.enableServiceLinks !== false;
  const values = serviceVariables(services.flat(), { namespace, areLinked });
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const map = configMapRef && (await objects.configMap(namespace, configMapRef.name ?? '', signal));
    const secret = secretRef && (await objects.secret(namespace, secretRef.name ?? '', signal));
    for (const [key, value] of Object.entries(map?.data ?? {})) values.set(`${prefix}${key}`, value);
    for (const [key, value] of Object.entries(secret?.data ?? {}))
      values.set(`${prefix}${key}`, decoded(value));
  }
  for (const variable of env) {
    const { value, valueFrom, name } = variable;
    // A plain value may name variables before it; one that is not known stays as it is written.
    if (valueFrom === undefined)
      values.set(
        name,
        expand(value ?? '', (other) => values.get(other) ?? `$(${other})`),
      );
    else {
      const found = await valueFromSource(pod, container, valueFrom, source);
      if (found !== undefined) values.set(name, found);
    }
  }
  return values;
}

async function valueFromSource(
  pod: Cached<Pod>,
  container: DeepReadonly<Container>,
  {
    fieldRef,
    configMapKeyRef,
    secretKeyRef,
    resourceFieldRef,
  }: DeepReadonly<NonNullable<EnvVar['valueFrom']>>,
  source: EnvironmentSource,
): Promise<string | undefined> {
  const { objects, signal } = source;
  const { namespace } = pod.metadata;
  if (fieldRef !== undefined) return podField(pod, fieldRef.fieldPath, source);
  if (configMapKeyRef !== undefined) {
    const map = await objects.configMap(namespace, configMapKeyRef.name ?? '', signal);
    return map?.data?.[configMapKeyRef.key];
  }
  if (secretKeyRef !== undefined) {
    const secret = await objects.secret(namespace, secretKeyRef.name ?? '', signal);
    const found = secret?.data?.[secretKeyRef.key];
    return found === undefined ? undefined : decoded(found);
  }
  if (resourceFieldRef === undefined) return undefined;
  const { containerName = container.name } = resourceFieldRef;
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const named = [container, ...containers, ...initContainers].find(({ name }) => name === containerName);
  return resourceValue(named ?? container, resourceFieldRef, objects.allocatable(pod.spec?.nodeName ?? ''));
}

function podField(
  { metadata, spec, status }: Cached<Pod>,
  path: string,
  { podIP, hostIP }: EnvironmentSource,
): string {
  const [, list, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return (list === 'labels' ? metadata.labels : metadata.annotations)?.[key] ?? '';
  const known: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec?.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
    'status.hostIP': hostIP,
    'status.hostIPs': hostIP,
    'status.podIP': podIP,
    'status.podIPs': status?.podIPs?.map(({ ip }) => ip).join(',') ?? podIP,
  };
  return known[path] ?? '';
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
