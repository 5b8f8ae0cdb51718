import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { ConfigMap, Container, Pod, Secret, Service } from '@windlass/apimachinery/api/core/v1';
import type { Allocatable } from '../volume-manager/pod-local/downward-api.ts';

/** Where the values of variables come from. Undefined stands for what is not there. */
export interface EnvironmentObjects {
  configMap(namespace: string, name: string, signal: AbortSignal): Promise<Cached<ConfigMap> | undefined>;
  secret(namespace: string, name: string, signal: AbortSignal): Promise<Cached<Secret> | undefined>;
  /** All of a namespace. */
  services(namespace: string, signal: AbortSignal): Promise<readonly Cached<Service>[]>;
  /** What a node has for pods. */
  allocatable(nodeName: string): Allocatable;
}

/** Why a container cannot have its environment; undefined: it can. */
export async function environmentProblem(
  { metadata }: Cached<Pod>,
  { env = [], envFrom = [] }: DeepReadonly<Container>,
  objects: EnvironmentObjects,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { namespace } = metadata;
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef !== undefined && configMapRef.optional !== true) {
      const { name = '' } = configMapRef;
      if ((await objects.configMap(namespace, name, signal)) === undefined)
        return `configmap "${name}" not found`;
    }
    if (secretRef !== undefined && secretRef.optional !== true) {
      const { name = '' } = secretRef;
      if ((await objects.secret(namespace, name, signal)) === undefined) return `secret "${name}" not found`;
    }
  }
  for (const { valueFrom } of env) {
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    if (configMapKeyRef !== undefined && configMapKeyRef.optional !== true) {
      const { name = '', key } = configMapKeyRef;
      const found = await objects.configMap(namespace, name, signal);
      if (found === undefined) return `configmap "${name}" not found`;
      if (found.data?.[key] === undefined)
        return `couldn't find key ${key} in ConfigMap ${namespace}/${name}`;
    }
    if (secretKeyRef !== undefined && secretKeyRef.optional !== true) {
      const { name = '', key } = secretKeyRef;
      const found = await objects.secret(namespace, name, signal);
      if (found === undefined) return `secret "${name}" not found`;
      if (found.data?.[key] === undefined) return `couldn't find key ${key} in Secret ${namespace}/${name}`;
    }
  }
  return undefined;
}
