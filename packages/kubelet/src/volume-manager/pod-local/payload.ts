// The files of volumes whose content comes from the API.
import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type {
  ConfigMap,
  KeyToPath,
  Pod,
  Secret,
  Volume,
  VolumeProjection,
} from '@windlass/apimachinery/api/core/v1';
import { VolumeError } from '../errors.ts';
import type { VolumeObjects } from '../volume-objects.ts';
import { downwardValue } from './downward-api.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

/** One file of a `Payload`. */
export interface PayloadFile {
  readonly data: Buffer;
  readonly mode: number;
}

/** What a volume of configuration holds: files by their path in it. */
export type Payload = ReadonlyMap<string, PayloadFile>;

export interface PayloadSource {
  readonly objects: VolumeObjects;
  readonly tokens: ServiceAccountTokens;
}

/** Added to pods by the server itself, so that they can speak to it. */
export const OWN_ACCOUNT_VOLUME = 'kube-api-access-';
const ROOT_CA = 'kube-root-ca.crt';
const DEFAULT_MODE = 0o644;

/** By path. Undefined when the volume is not of a kind that has one. @throws VolumeError for what is missing */
export async function payloadOf(
  pod: Cached<Pod>,
  volume: DeepReadonly<Volume>,
  source: PayloadSource,
  signal: AbortSignal,
): Promise<Payload | undefined> {
  const { configMap, secret, projected, downwardAPI, name } = volume;
  if (configMap !== undefined) return project(pod, { configMap }, configMap.defaultMode, source, signal);
  if (secret !== undefined)
    return project(
      pod,
      {
        secret: {
          ...(secret.secretName !== undefined && { name: secret.secretName }),
          ...(secret.items !== undefined && { items: secret.items }),
          ...(secret.optional !== undefined && { optional: secret.optional }),
        },
      },
      secret.defaultMode,
      source,
      signal,
    );
  if (downwardAPI !== undefined)
    return project(pod, { downwardAPI }, downwardAPI.defaultMode, source, signal);
  if (projected === undefined) return undefined;
  const all = new Map<string, PayloadFile>();
  for (const each of projected.sources ?? []) {
    // A server without certificates has no authority to publish, and adds the volume all the same.
    const isOwn = name.startsWith(OWN_ACCOUNT_VOLUME) && each.configMap?.name === ROOT_CA;
    const lenient =
      isOwn && each.configMap !== undefined ? { configMap: { ...each.configMap, optional: true } } : each;
    for (const [path, file] of await project(pod, lenient, projected.defaultMode, source, signal))
      all.set(path, file);
  }
  return all;
}

async function project(
  pod: Cached<Pod>,
  { configMap, secret, downwardAPI, serviceAccountToken }: DeepReadonly<VolumeProjection>,
  defaultMode: number = DEFAULT_MODE,
  { objects, tokens }: PayloadSource,
  signal: AbortSignal,
): Promise<Payload> {
  const { namespace } = pod.metadata;
  const files = new Map<string, PayloadFile>();
  const add = (path: string, data: Buffer, mode = defaultMode): void => void files.set(path, { data, mode });
  if (configMap !== undefined) {
    const { name = '', items, optional = false } = configMap;
    const found = await objects.configMap(namespace, name, signal);
    if (found === undefined && !optional) throw new VolumeError(`configmap "${name}" not found`);
    pick(
      'configmap references non-existent config key',
      configMapData(found),
      items,
      optional || found === undefined,
      add,
    );
  }
  if (secret !== undefined) {
    const { name = '', items, optional = false } = secret;
    const found = await objects.secret(namespace, name, signal);
    if (found === undefined && !optional) throw new VolumeError(`secret "${name}" not found`);
    pick(
      'references non-existent secret key',
      secretData(found),
      items,
      optional || found === undefined,
      add,
    );
  }
  for (const item of downwardAPI?.items ?? [])
    add(
      item.path,
      Buffer.from(downwardValue(pod, item, objects.allocatable(pod.spec?.nodeName ?? ''))),
      item.mode,
    );
  if (serviceAccountToken !== undefined) {
    const { token } = await tokens.token(pod, serviceAccountToken, signal);
    // Whoever the pod's programs run as may read it; with a group, only the group.
    const isOfGroup = pod.spec?.securityContext?.fsGroup !== undefined;
    add(serviceAccountToken.path, Buffer.from(token), isOfGroup ? 0o600 : defaultMode);
  }
  return files;
}

function pick(
  complaint: string,
  data: ReadonlyMap<string, Buffer>,
  items: DeepReadonly<KeyToPath[]> | undefined,
  isOptional: boolean,
  add: (path: string, data: Buffer, mode?: number) => void,
): void {
  if (items === undefined) {
    for (const [key, value] of data) add(key, value);
    return;
  }
  for (const { key, path, mode } of items) {
    const value = data.get(key);
    if (value !== undefined) add(path, value, mode);
    else if (!isOptional) throw new VolumeError(`${complaint}: ${key}`);
  }
}

export function configMapData(object: Cached<ConfigMap> | undefined): Map<string, Buffer> {
  const data = new Map<string, Buffer>();
  for (const [key, value] of Object.entries(object?.data ?? {})) data.set(key, Buffer.from(value));
  for (const [key, value] of Object.entries(object?.binaryData ?? {}))
    data.set(key, Buffer.from(value, 'base64'));
  return data;
}

export function secretData(object: Cached<Secret> | undefined): Map<string, Buffer> {
  return new Map(
    Object.entries(object?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );
}
