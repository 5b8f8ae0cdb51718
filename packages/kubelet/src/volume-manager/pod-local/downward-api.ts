import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { goQuote, Quantity } from '@windlass/apimachinery';
import type { DownwardAPIVolumeFile, Pod } from '@windlass/apimachinery/api/core/v1';
import { VolumeError } from '../errors.ts';

/** What a pod may read of itself. */
export function downwardValue(pod: Cached<Pod>, item: DeepReadonly<DownwardAPIVolumeFile>): string {
  if (item.fieldRef !== undefined) return fieldValue(pod, item.fieldRef.fieldPath);
  const { containerName = '', resource = '', divisor = '0' } = item.resourceFieldRef ?? {};
  const container = pod.spec?.containers?.find(({ name }) => name === containerName);
  if (container === undefined) throw new VolumeError(`container ${containerName} not found`);
  const [list, ...rest] = resource.split('.');
  const amounts = list === 'limits' ? container.resources?.limits : container.resources?.requests;
  const amount = Quantity.parse(amounts?.[rest.join('.')] ?? '0');
  const parsed = Quantity.parse(divisor);
  const unit = parsed.isZero ? Quantity.of(1) : parsed;
  const isCpu = rest.join('.') === 'cpu';
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
