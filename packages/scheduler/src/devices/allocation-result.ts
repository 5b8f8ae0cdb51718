import { type DeepReadonly, deepCopy, deepEqual } from '@windlass/apimachinery';
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from '@windlass/apimachinery/api/core/v1';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  DeviceToleration,
} from '@windlass/apimachinery/api/resource/v1';
import type { ReadonlyResourceClaim } from '../framework/device-view.ts';
import type { ChosenDevice } from './allocate-devices.ts';

/**
 * The devices of a claim as its status has them.
 *
 * @param newShareId a new UID for a part of a device
 */
export function allocationResult(
  claim: ReadonlyResourceClaim,
  chosen: readonly ChosenDevice[],
  node: string,
  newShareId: () => string,
): AllocationResult {
  const config = configurationOf(claim, chosen);
  const nodeSelector = nodeSelectorOf(chosen, node);
  return {
    devices: {
      results: chosen.map((one) => resultOf(one, newShareId)),
      ...(config.length > 0 && { config }),
    },
    ...(nodeSelector !== undefined && { nodeSelector }),
  };
}

function resultOf(
  { wanted, candidate: { pool, device }, share }: ChosenDevice,
  newShareId: () => string,
): DeviceRequestAllocationResult {
  const { bindingConditions = [], bindingFailureConditions = [] } = device;
  return {
    request: wanted.name,
    driver: pool.driver,
    pool: pool.name,
    device: device.name,
    ...(wanted.hasAdminAccess && { adminAccess: true }),
    ...(wanted.tolerations.length > 0 && {
      tolerations: wanted.tolerations.map((toleration) => deepCopy<DeviceToleration>(toleration)),
    }),
    ...(bindingConditions.length > 0 && { bindingConditions: [...bindingConditions] }),
    ...(bindingFailureConditions.length > 0 && { bindingFailureConditions: [...bindingFailureConditions] }),
    ...(share !== undefined && { shareID: newShareId() }),
    ...(share !== undefined &&
      share.size > 0 && {
        consumedCapacity: Object.fromEntries(Array.from(share, ([name, amount]) => [name, String(amount)])),
      }),
  };
}

/** First what the classes say, each once, then what the claim says of the requests that were satisfied. */
function configurationOf(
  claim: ReadonlyResourceClaim,
  chosen: readonly ChosenDevice[],
): DeviceAllocationConfiguration[] {
  const requests = claim.spec.devices?.requests ?? [];
  const names = [...new Set(chosen.map(({ wanted }) => wanted.name))];
  const byClass = new Map<string, { readonly requests: string[]; readonly of: ChosenDevice['wanted'] }>();
  for (const { wanted } of chosen) {
    const known = byClass.get(wanted.deviceClass.metadata.name) ?? { requests: [], of: wanted };
    if (!known.requests.includes(wanted.name)) known.requests.push(wanted.name);
    byClass.set(wanted.deviceClass.metadata.name, known);
  }
  // Whom it is for need not be said when it is for all.
  const forRequests = (given: readonly string[]): { requests?: string[] } =>
    given.length === 0 || given.length === requests.length ? {} : { requests: [...given] };
  const ofClasses = [...byClass.values()].flatMap(({ requests: given, of }) =>
    (of.deviceClass.spec.config ?? []).map((config) => ({
      source: 'FromClass',
      ...forRequests(given),
      ...deepCopy<typeof config>(config),
    })),
  );
  const ofClaim = (claim.spec.devices?.config ?? [])
    .filter(
      ({ requests: given = [] }) =>
        given.length === 0 || names.some((name) => given.includes(name) || given.includes(parentOf(name))),
    )
    .map(({ requests: given = [], ...config }) => ({
      source: 'FromClaim',
      ...forRequests(given),
      ...deepCopy<typeof config>(config),
    }));
  return [...ofClasses, ...ofClaim];
}

const parentOf = (name: string): string => name.split('/')[0] ?? '';

/** Where the devices can be used; undefined when that is everywhere. */
function nodeSelectorOf(chosen: readonly ChosenDevice[], node: string): NodeSelector | undefined {
  const expressions: NodeSelectorRequirement[] = [];
  const fields: NodeSelectorRequirement[] = [];
  const addAll = (
    to: NodeSelectorRequirement[],
    requirements: readonly DeepReadonly<NodeSelectorRequirement>[] | undefined,
  ): void => {
    for (const requirement of requirements ?? [])
      if (!to.some((known) => deepEqual(known, requirement)))
        to.push(deepCopy<NodeSelectorRequirement>(requirement));
  };
  for (const { candidate } of chosen) {
    const { spec } = candidate.slice;
    const place = spec.perDeviceNodeSelection === true ? candidate.device : spec;
    if ((place.nodeName ?? '') !== '' || candidate.device.bindsToNode === true) return onNode(node);
    const [term] = place.nodeSelector?.nodeSelectorTerms ?? [];
    addAll(expressions, term?.matchExpressions);
    addAll(fields, term?.matchFields);
  }
  if (expressions.length === 0 && fields.length === 0) return undefined;
  const term: NodeSelectorTerm = {
    ...(expressions.length > 0 && { matchExpressions: expressions }),
    ...(fields.length > 0 && { matchFields: fields }),
  };
  return { nodeSelectorTerms: [term] };
}

function onNode(name: string): NodeSelector {
  return {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
  };
}
