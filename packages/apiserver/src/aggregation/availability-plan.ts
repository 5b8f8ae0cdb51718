import type { DeepReadonly } from '@windlass/apimachinery';
import type { APIServiceCondition } from '@windlass/apimachinery/api/apiregistration/v1';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { RemoteApiService } from './api-services.ts';

/** What is said of an APIService; the type is always `Available`. */
export interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const PASSED: Availability = Object.freeze({
  status: 'True',
  reason: 'Passed',
  message: 'all checks passed',
});

/** What the objects of the cluster say against it; undefined when only the server itself can tell. */
export function planAvailability(
  { service: { namespace, name, port } }: RemoteApiService,
  service: DeepReadonly<Service> | undefined,
  slices: readonly DeepReadonly<EndpointSlice>[],
): Availability | undefined {
  const at = `service/${name} in "${namespace}"`;
  if (service === undefined) return missing('ServiceNotFound', `${at} is not present`);
  // Other types may lead anywhere.
  if (service.spec?.type !== 'ClusterIP') return undefined;
  const wanted = service.spec.ports?.find((candidate) => candidate.port === port);
  if (wanted === undefined) return missing('ServicePortError', `${at} is not listening on port ${port}`);
  if (slices.length === 0) return missing('EndpointsNotFound', `cannot find endpointslices for ${at}`);
  const portName = wanted.name ?? '';
  if (!slices.some((slice) => hasReadyEndpoint(slice, portName)))
    return missing(
      'MissingEndpoints',
      `endpointslices for ${at} have no addresses with port name "${portName}"`,
    );
  return undefined;
}

export function failedCheck(message: string): Availability {
  return missing('FailedDiscoveryCheck', message);
}

/** The conditions with this one in its place; undefined when they say so already. */
export function withAvailability(
  conditions: readonly DeepReadonly<APIServiceCondition>[],
  availability: Availability,
  now: string,
): APIServiceCondition[] | undefined {
  const known = conditions.find(({ type }) => type === 'Available');
  const isSame =
    known?.status === availability.status &&
    known.reason === availability.reason &&
    known.message === availability.message;
  if (isSame) return undefined;
  const lastTransitionTime = known?.status === availability.status ? (known.lastTransitionTime ?? now) : now;
  const next = { type: 'Available', lastTransitionTime, ...availability };
  return known === undefined
    ? [...conditions, next]
    : conditions.map((condition) => (condition === known ? next : condition));
}

function missing(reason: string, message: string): Availability {
  return { status: 'False', reason, message };
}

function hasReadyEndpoint({ endpoints, ports }: DeepReadonly<EndpointSlice>, portName: string): boolean {
  return (
    (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
    (ports ?? []).some(({ name, port }) => (name ?? '') === portName && port !== undefined)
  );
}
