import type { KubeObject } from '@windlass/apimachinery';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { Random } from '@windlass/base';
import type { Client } from '@windlass/client';
import type { NodeSpec } from '@windlass/kubelet';
import type { LeaderElectionOptions, Manager, ManagerOptions, Webhook } from '@windlass/runtime';
import type { FaultKind, Plan } from './plan/fault.ts';
import type { State } from './state.ts';

/** One program of the user's, in one or several processes. */
export interface ProcessOptions {
  /** Adds the controllers. Called again for each process, and after each restart: keep nothing outside of it. */
  readonly setUp: (manager: Manager) => void | Promise<void>;
  /** How many run at the same time; with more than one they are called `name-0`, `name-1`. @default 1 */
  readonly replicas?: number;
  /**
   * One of the replicas leads. `true` takes a lease of the process's name. An identity is ignored: each start of each
   * replica has its own.
   * @default false
   */
  readonly leaderElection?: boolean | LeaderElectionOptions;
  /** Other options of its managers. */
  readonly manager?: Partial<Omit<ManagerOptions, 'transport' | 'clock' | 'random' | 'leaderElection'>>;
}

/** Who works with the cluster in a run: what people and pipelines do. */
export interface User {
  /** An administrator. Its requests travel as those of others do, but no fault meets them. */
  readonly client: Client;
  /** Follows from the seed. */
  readonly random: Random;
  /** Lets virtual time pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** Looks twice a second of virtual time until it holds. @throws after ten virtual minutes, with what it waited for */
  readonly until: (what: string, holds: () => boolean | Promise<boolean>) => Promise<void>;
}

/**
 * Looks at the whole cluster and throws, or answers with a sentence, when something is wrong. It reads from the server
 * itself, not from a cache.
 */
export type Check = (state: State) => void | string | undefined | Promise<void | string | undefined>;

/** What must hold, and when. */
export interface Invariant {
  /** Checked after every write. */
  readonly always?: Check;
  /** Checked when everything has come to rest after the faults. */
  readonly atRest?: Check;
  /** Checked at rest after everything that the workload made has been deleted. */
  readonly afterDeletion?: Check;
}

/** How runs with and without faults are compared. */
export interface EndStateOptions {
  /**
   * Changes an object before it is compared, or leaves it out (`undefined`). Names, uids, versions, times and places of pods are made
   * equal before.
   */
  readonly normalise?: (object: KubeObject) => KubeObject | undefined;
}

/** The drives of each node. */
export interface DriveOptions {
  readonly perNode: number;
  /** Of each drive, as a quantity. @default 10Gi */
  readonly size?: string;
}

/** What leads the API server to webhooks: either kind, and which. */
export type WebhookConfiguration =
  | (MutatingWebhookConfiguration & { readonly kind: 'MutatingWebhookConfiguration' })
  | (ValidatingWebhookConfiguration & { readonly kind: 'ValidatingWebhookConfiguration' });

/** What a program of `--exec` needs beside a kubeconfig. */
export interface ProgramNeeds {
  /**
   * Files in the folder of the program, by name. In their text `{folder}`, `{kubeconfig}` and `{port:NAME}` are filled in,
   * as in the command. @default none
   */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * The webhooks that it answers, as its project publishes them. The API server asks them at `{port:webhooks}` of this
   * machine, whatever service they name, and not while the program is down. The certificate is in `{folder}/webhooks`, as
   * `tls.crt` and `tls.key`. @default none
   */
  readonly webhooks?: readonly WebhookConfiguration[];
}

/** A program, what is done with it, and what must hold. A run follows from it and a seed. */
export interface SimulationOptions {
  /** Custom resources to serve. @default none */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** Webhooks, asked in process. @default none */
  readonly webhooks?: readonly Webhook[];
  /** Beside `default`. @default none */
  readonly namespaces?: readonly string[];
  /**
   * Which of Kubernetes' own controllers run, as `--controllers` takes them.
   * @default those that delete: `garbage-collector-controller` and `namespace-controller`; all of them when there are nodes
   */
  readonly controllers?: readonly string[];
  /** Simulated nodes, and a scheduler. @default none */
  readonly nodes?: number | readonly NodeSpec[];
  /**
   * DirectPV on every node, with drives that it has formatted. Its processes are `directpv-controller` and
   * `directpv-NODE` for each node; the drives are `drive-1`, `drive-2`, … @default none
   */
  readonly drives?: DriveOptions;
  /** The user's programs, by name. A function is one process that it sets up. @default none: it is a command's */
  readonly processes?: Readonly<Record<string, ProcessOptions | ProcessOptions['setUp']>>;
  /** What the command needs, when the program is one (`--exec`). @default a kubeconfig */
  readonly exec?: ProgramNeeds;
  /** What happens to the cluster. */
  readonly workload: (user: User) => Promise<void>;
  /** By name. A function is checked at rest. @default none */
  readonly invariants?: Readonly<Record<string, Invariant | Check>>;
  /**
   * At rest, what the user's processes made must be as in a run without faults. False switches it off.
   * @default compared, after names, uids, versions, times and places of pods have been made equal
   */
  readonly endState?: EndStateOptions | false;
  /**
   * After the run everything that the workload made is deleted, and then nothing may be left of what the processes made.
   * False leaves that out. @default true
   */
  readonly deletesAll?: boolean;
  /** So long after the last fault everything has come to rest, in virtual milliseconds. @default 1,200,000 */
  readonly restWithinMs?: number;
  /** A plan for every seed; with it the seed chooses the order of things only. @default the seed makes one */
  readonly plan?: Plan;
  /** Which kinds of faults a seed may choose. @default all that can be */
  readonly faults?: readonly FaultKind[];
  /** Whom faults meet. @default the user's processes */
  readonly faultsOn?: readonly string[];
}

/** What `windlass sim` runs: the default export of a file. */
export interface Simulation {
  readonly name: string;
  readonly options: SimulationOptions;
}

/** Names a simulation, so that `windlass sim FILE` and tests can run it. */
export function defineSimulation(name: string, options: SimulationOptions): Simulation {
  return { name, options };
}
