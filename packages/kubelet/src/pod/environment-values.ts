import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, EnvVar, Pod } from '@windlass/apimachinery/api/core/v1';
import type { EnvironmentObjects } from './container-environment.ts';
import { expand } from './expand.ts';

/** The variables that a container's own spec gives it. What is not there is left out. */
export async function environmentValues(
  pod: Cached<Pod>,
  { env = [], envFrom = [] }: DeepReadonly<Container>,
  objects: EnvironmentObjects,
  podIP: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  const { namespace } = pod.metadata;
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const map = configMapRef && (await objects.configMap(namespace, configMapRef.name ?? '', signal));
    const secret = secretRef && (await objects.secret(namespace, secretRef.name ?? '', signal));
    for (const [key, value] of Object.entries(map?.data ?? {})) values.set(`${prefix}${key}`, value);
    for (const [key, value] of Object.entries(secret?.data ?? {}))
      values.set(`${prefix}${key}`, decoded(value));
  }
  for (const variable of env) {
    const value = await valueOf(pod, variable, objects, podIP, signal);
    // A variable may name those before it; one that is not known stays as it is written.
    if (value !== undefined)
      values.set(
        variable.name,
        expand(value, (name) => values.get(name) ?? `$(${name})`),
      );
  }
  return values;
}

async function valueOf(
  pod: Cached<Pod>,
  { value, valueFrom }: DeepReadonly<EnvVar>,
  objects: EnvironmentObjects,
  podIP: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (valueFrom === undefined) return value ?? '';
  const { namespace } = pod.metadata;
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return podField(pod, fieldRef.fieldPath, podIP);
  if (configMapKeyRef !== undefined) {
    const map = await objects.configMap(namespace, configMapKeyRef.name ?? '', signal);
    return map?.data?.[configMapKeyRef.key];
  }
  if (secretKeyRef !== undefined) {
    const secret = await objects.secret(namespace, secretKeyRef.name ?? '', signal);
    const found = secret?.data?.[secretKeyRef.key];
    return found === undefined ? undefined : decoded(found);
  }
  // A size: never empty, and of no use as the name of a folder.
  return '0';
}

function podField({ metadata, spec }: Cached<Pod>, path: string, podIP: string): string {
  const [, list, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return (list === 'labels' ? metadata.labels : metadata.annotations)?.[key] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    default:
      // The addresses of the pod and of its node: status.podIP, status.podIPs, status.hostIP, status.hostIPs.
      return podIP;
  }
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
