import { createHash } from 'node:crypto';
import { arch } from 'node:os';
import type { DeepReadonly } from '@windlass/apimachinery';
import { deepEqual, findCondition, formatTime, Quantity } from '@windlass/apimachinery';
import type { Node, NodeCondition, NodeStatus, NodeSystemInfo } from '@windlass/apimachinery/api/core/v1';
import type { CompleteNodeSpec } from './node-spec.ts';

export interface NodeFacts {
  readonly runtimeVersion: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** It can be asked for logs, commands and ports, and speaks the WebSocket protocols for them. @default false */
  readonly isServing?: boolean;
  /** Why it cannot run pods now, in one sentence; undefined: it can. */
  readonly problem?: string | undefined;
  /** Of those that are attached: what nobody may detach. */
  readonly volumesInUse: readonly string[];
}

/** The API that this agent was written for. */
const KUBELET_VERSION = 'v1.36.3';
export const KUBELET_PORT = 10_250;

const CONDITIONS: readonly (readonly [
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** The node as it registers. */
export function nodeObject(spec: CompleteNodeSpec, facts: NodeFacts): Node {
  const { name, podCidr, taints, annotations } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: nodeLabels(spec),
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', ...annotations },
    },
    spec: {
      podCIDR: podCidr,
      podCIDRs: [podCidr],
      ...(taints.length > 0 && { taints: taints.map((taint) => ({ ...taint })) }),
    },
    status: nodeStatus(spec, undefined, facts),
  };
}

export function nodeLabels({ name, labels }: CompleteNodeSpec): Record<string, string> {
  const architecture = goArchitecture();
  return {
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    ...labels,
  };
}

/** What the agent says of its node. Conditions of others are kept. */
export function nodeStatus(
  spec: CompleteNodeSpec,
  before: DeepReadonly<NodeStatus> | undefined,
  { runtimeVersion, now, volumesInUse, problem, isServing = false }: NodeFacts,
): NodeStatus {
  const { name, address, capacity } = spec;
  const time = formatTime(now);
  const stated = problem === undefined ? CONDITIONS : [...CONDITIONS.slice(0, -1), notReady(problem)];
  const own = stated.map(([type, status, reason, message]): NodeCondition => {
    const known = findCondition(before?.conditions, type);
    const since = known?.status === status ? known.lastTransitionTime : undefined;
    return { lastHeartbeatTime: time, lastTransitionTime: since ?? time, message, reason, status, type };
  });
  return {
    addresses: [
      { address, type: 'InternalIP' },
      { address: name, type: 'Hostname' },
    ],
    allocatable: { ...fixedStatus(spec).allocatable },
    capacity: { ...capacity },
    conditions: own,
    ...(isServing && { declaredFeatures: ['ExtendWebSocketsToKubelet'] }),
    daemonEndpoints: { kubeletEndpoint: { Port: KUBELET_PORT } },
    nodeInfo: { ...fixedStatus(spec).nodeInfo, containerRuntimeVersion: runtimeVersion },
    // Only when there is something to say, or to take back.
    ...((volumesInUse.length > 0 || before?.volumesInUse !== undefined) && {
      volumesInUse: [...volumesInUse],
    }),
  };
}

function notReady(problem: string): (typeof CONDITIONS)[number] {
  return ['Ready', 'False', 'KubeletNotReady', problem];
}

/** Whether something is new in it, apart from the time of the heartbeat. */
export function hasStatusChanged(before: DeepReadonly<NodeStatus> | undefined, after: NodeStatus): boolean {
  if (before === undefined) return true;
  const { conditions: conditionsBefore = [], ...restBefore } = before;
  const { conditions: conditionsAfter = [], ...restAfter } = after;
  // The status was made in this process, so it has no other fields than its type says.
  const keys = Object.keys(restAfter) as (keyof typeof restAfter)[];
  if (keys.some((key) => !deepEqual(restBefore[key] ?? null, restAfter[key] ?? null))) return true;
  return conditionsAfter.some((condition) => {
    const known = findCondition(conditionsBefore, condition.type);
    return (['status', 'reason', 'message'] as const).some((field) => known?.[field] !== condition[field]);
  });
}

/** What follows from the specification alone. It is asked for every few seconds, for each of many nodes. */
function fixedStatus(spec: CompleteNodeSpec): FixedStatus {
  let fixed = FIXED.get(spec);
  if (fixed === undefined) {
    const { name } = spec;
    const nodeInfo = {
      architecture: goArchitecture(),
      bootID: idOf(`boot ${name}`),
      kernelVersion: '6.12.0',
      kubeProxyVersion: '',
      kubeletVersion: KUBELET_VERSION,
      machineID: idOf(`machine ${name}`).replaceAll('-', ''),
      operatingSystem: 'linux',
      osImage: 'Windlass simulated node',
      systemUUID: idOf(`system ${name}`),
      ...spec.info,
    };
    fixed = { allocatable: allocatable(spec), nodeInfo };
    FIXED.set(spec, fixed);
  }
  return fixed;
}

const FIXED = new WeakMap<CompleteNodeSpec, FixedStatus>();

interface FixedStatus {
  readonly allocatable: Readonly<Record<string, string>>;
  readonly nodeInfo: Readonly<Omit<NodeSystemInfo, 'containerRuntimeVersion'>>;
}

function allocatable({ capacity, reserved }: CompleteNodeSpec): Record<string, string> {
  return Object.fromEntries(
    Object.entries(capacity).map(([name, amount]) => {
      const held = reserved[name];
      if (held === undefined) return [name, amount];
      const left = Quantity.parse(amount).sub(Quantity.parse(held));
      return [name, left.sign < 0 ? '0' : String(left)];
    }),
  );
}

/** The same for a node of this name each time. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function goArchitecture(): string {
  const known = arch();
  return known === 'x64' ? 'amd64' : known;
}
