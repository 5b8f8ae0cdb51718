// What can go wrong in a run, as data: a plan is made by the seed, by hand, or shrunk from another.
//
// What is wrong with a machine or its network (latency, partition, clock) outlives the process that is killed on it, and
// meets the next one. What is wrong with a process (freeze) or with its connections (watch) is over with it. Of two faults
// that do the same to the same and overlap, the later end is the end; delays add up.

import type { OperatingSystem } from '@windlass/directpv';

/**
 * When a fault begins: so many milliseconds after the workload began, or as soon as a process has done its n-th write
 * since then (1 is the first).
 */
export type When = number | { readonly write: number; readonly by: string };

/** What a process hears of a request that goes wrong. */
export type RequestFaultAnswer =
  /** The connection breaks before the server has seen it. */
  | 'lost'
  /** The server acts on it, and the connection breaks before the answer comes. */
  | 'answer lost'
  | 'conflict'
  | 'too many requests'
  | 'internal error'
  | 'unavailable'
  | 'timeout';

/** One request of a process goes wrong. */
export interface RequestFault {
  readonly kind: 'request';
  readonly process: string;
  /** Which: its n-th write, or its n-th read, since the workload began. Exactly one of the two. */
  readonly write?: number;
  readonly read?: number;
  readonly answer: RequestFaultAnswer;
  /** How many in a row. @default 1 */
  readonly times?: number;
}

/** All requests and events of a process take longer, also those of its next start. */
export interface LatencyFault {
  readonly kind: 'latency';
  readonly process: string;
  readonly when: When;
  readonly forMs: number;
  readonly addMs: number;
}

/** The watches of a process that are open now: those that it opens meanwhile are as they should be. */
export interface WatchFault {
  readonly kind: 'watch';
  readonly process: string;
  readonly when: When;
  /**
   * `drop`: the connection breaks. `hold`: events come late, all at once, in order. `compact`: it breaks, and the server
   * has forgotten the past (410), so that the process lists again. `gap`: held, then as `compact`: what came and went
   * meanwhile is never seen.
   */
  readonly effect: 'drop' | 'hold' | 'compact' | 'gap';
  /** For `hold` and `gap`. */
  readonly forMs?: number;
  /** Only watches of this resource, in plural: `pods`. @default all */
  readonly resource?: string;
}

/** A process is killed, and started again after a while. */
export interface KillFault {
  readonly kind: 'kill';
  readonly process: string;
  readonly when: When;
  readonly downMs: number;
}

/** A process stands still, as a paused virtual machine does, and goes on. One that is killed does not when it is back. */
export interface FreezeFault {
  readonly kind: 'freeze';
  readonly process: string;
  readonly when: When;
  readonly forMs: number;
}

/** The wall clock of the machine of a process is set: also for its next start, until all faults are over. */
export interface ClockFault {
  readonly kind: 'clock';
  readonly process: string;
  readonly when: When;
  readonly byMs: number;
}

/** The machine of a process cannot reach the API server: neither can the next start of the process. */
export interface PartitionFault {
  readonly kind: 'partition';
  readonly process: string;
  readonly when: When;
  readonly forMs: number;
}

/** The API server is away and comes back. */
export interface ServerFault {
  readonly kind: 'server';
  readonly when: When;
  readonly downMs: number;
  /** It has forgotten the past when it is back. @default false */
  readonly compacts?: boolean;
}

/** A node does not report any more, and comes back. */
export interface NodeFault {
  readonly kind: 'node';
  readonly node: string;
  readonly when: When;
  readonly forMs: number;
}

/** A drive of a node fails, and is as before after a while. */
export interface DriveFault {
  readonly kind: 'drive';
  readonly node: string;
  /** `drive-1`. */
  readonly drive: string;
  /** `lost`: it is gone as if unplugged. `full`: nothing can be added to it. `slow`: each access takes seconds. */
  readonly effect: 'lost' | 'full' | 'slow';
  readonly when: When;
  readonly forMs: number;
}

/** Calls into a machine that can fail. */
export const MACHINE_CALLS = [
  'makeDirectory',
  'removeDirectory',
  'removeTree',
  'list',
  'entryType',
  'readFile',
  'writeFile',
  'rename',
  'link',
  'mount',
  'bindMount',
  'unmount',
  'mounts',
  'setQuota',
  'clearQuota',
] as const satisfies readonly (keyof OperatingSystem)[];

/** A call into the machine of a node. */
export type MachineCall = (typeof MACHINE_CALLS)[number];

/** What the system answers to a call that fails. */
export type CallFaultCode = 'EIO' | 'EBUSY' | 'EACCES';

/** A call of a process into the machine of a node fails, and has done nothing. */
export interface CallFault {
  readonly kind: 'call';
  /** One that runs on the nodes: `kubelet`, `directpv-NODE`. */
  readonly process: string;
  readonly call: MachineCall;
  /** Which: its n-th such call since the workload began, on whatever node. */
  readonly number: number;
  readonly code: CallFaultCode;
  /** How many in a row. @default 1 */
  readonly times?: number;
}

/** One thing that goes wrong. */
export type Fault =
  | RequestFault
  | LatencyFault
  | WatchFault
  | KillFault
  | FreezeFault
  | ClockFault
  | PartitionFault
  | ServerFault
  | NodeFault
  | DriveFault
  | CallFault;

/** Everything that goes wrong in a run. */
export type Plan = readonly Fault[];

/** The kinds of faults. */
export type FaultKind = Fault['kind'];

/** Every kind of fault. */
export const FAULT_KINDS: readonly FaultKind[] = [
  'request',
  'latency',
  'watch',
  'kill',
  'freeze',
  'clock',
  'partition',
  'server',
  'node',
  'drive',
  'call',
];
