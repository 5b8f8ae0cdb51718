import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { NodePods } from './node-pods.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function hostnameOf({ metadata, spec }: Cached<Pod>): string {
  return spec?.hostname ?? metadata?.name ?? '';
}

/** The variables that a container has. What is missing is left out: it would not have started without it. */
export async function environmentOf(
  pod: Cached<Pod>,
  { env = [], envFrom = [] }: DeepReadonly<Container>,
  objects: Pick<NodePods, 'configMap' | 'secret'>,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { namespace } = pod.metadata;
  const variables: Record<string, string> = {
    PATH,
    HOSTNAME: hostnameOf(pod),
    HOME: '/root',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    KUBERNETES_SERVICE_PORT: '443',
  };
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const map = configMapRef && (await objects.configMap(namespace, configMapRef.name ?? '', signal));
    for (const [key, value] of Object.entries(map?.data ?? {})) variables[`${prefix}${key}`] = value;
    const secret = secretRef && (await objects.secret(namespace, secretRef.name ?? '', signal));
    for (const [key, value] of Object.entries(secret?.data ?? {}))
      variables[`${prefix}${key}`] = decoded(value);
  }
  for (const { name, value, valueFrom } of env) {
    const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom ?? {};
    if (valueFrom === undefined) variables[name] = withReferences(value ?? '', variables);
    else if (configMapKeyRef !== undefined) {
      const found = await objects.configMap(namespace, configMapKeyRef.name ?? '', signal);
      const text = found?.data?.[configMapKeyRef.key];
      if (text !== undefined) variables[name] = text;
    } else if (secretKeyRef !== undefined) {
      const found = await objects.secret(namespace, secretKeyRef.name ?? '', signal);
      const text = found?.data?.[secretKeyRef.key];
      if (text !== undefined) variables[name] = decoded(text);
    } else if (fieldRef !== undefined) variables[name] = fieldValue(pod, fieldRef.fieldPath);
  }
  return variables;
}

/** `$(NAME)` in a value, a command or an argument stands for a variable before it. */
export function withReferences(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\(([A-Za-z_][\w.-]*)\)/g,
    (whole, name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? whole,
  );
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function fieldValue({ metadata, spec, status }: Cached<Pod>, path: string): string {
  const label = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path);
  if (label !== null)
    return (label[1] === 'labels' ? metadata.labels : metadata.annotations)?.[label[2] ?? ''] ?? '';
  const known: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec?.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
    'status.hostIP': status?.hostIP,
    'status.podIP': status?.podIP,
    'status.podIPs': status?.podIPs?.map(({ ip }) => ip).join(','),
  };
  return known[path] ?? '';
}
