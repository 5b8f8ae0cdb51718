import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { goQuote, Quantity } from '@windlass/apimachinery';
import type {
  Container,
  DownwardAPIVolumeFile,
  Pod,
  ResourceFieldSelector,
} from '@windlass/apimachinery/api/core/v1';
import { VolumeError } from '../errors.ts';

/** What a node has for pods, by resource. */
export type Allocatable = Readonly<Record<string, string>>;

/** A container without a limit may have all that its node has for pods. */
const LIMITED_BY_NODE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What a pod may read of itself. */
export function downwardValue(
  pod: Cached<Pod>,
  { fieldRef, resourceFieldRef }: DeepReadonly<DownwardAPIVolumeFile>,
  allocatable: Allocatable,
): string {
  if (fieldRef !== undefined) return fieldValue(pod, fieldRef.fieldPath);
  const { containerName = '' } = resourceFieldRef ?? {};
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const container = [...containers, ...initContainers].find(({ name }) => name === containerName);
  if (container === undefined) throw new VolumeError(`container ${containerName} not found`);
  return resourceValue(container, resourceFieldRef ?? { resource: '' }, allocatable);
}

/** What a container asks for or may have at most, in units of the divisor. */
export function resourceValue(
  { resources }: DeepReadonly<Container>,
  { resource, divisor = '0' }: DeepReadonly<ResourceFieldSelector>,
  allocatable: Allocatable,
): string {
  const [list, ...rest] = resource.split('.');
  const name = rest.join('.');
  const given = (list === 'limits' ? resources?.limits : resources?.requests)?.[name];
  const ofNode = list === 'limits' && LIMITED_BY_NODE.has(name) ? allocatable[name] : undefined;
  const limit = given !== undefined && !Quantity.parse(given).isZero ? given : (ofNode ?? given);
  const amount = Quantity.parse(limit ?? '0');
  const parsed = Quantity.parse(divisor);
  const unit = parsed.isZero ? Quantity.of(1) : parsed;
  const isCpu = name === 'cpu';
  const count = isCpu ? amount.milliValue() / unit.milliValue() : amount.value() / unit.value();
  // A bigint, because a number would be written with an exponent.
  return String(BigInt(Math.ceil(count)));
}

export function fieldValue(pod: Cached<Pod>, path: string): string {
  const { metadata, spec, status } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (subscript !== null)
    return (subscript[1] === 'labels' ? metadata?.labels : metadata?.annotations)?.[subscript[2] ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return lines(metadata?.labels);
    case 'metadata.annotations':
      return lines(metadata?.annotations);
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    case 'status.hostIP':
      return status?.hostIP ?? '';
    case 'status.podIP':
      return status?.podIP ?? '';
    default:
      throw new VolumeError(`unsupported fieldPath: ${path}`);
  }
}

function lines(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}=${goQuote(map[key] ?? '')}`)
    .join('\n');
}
