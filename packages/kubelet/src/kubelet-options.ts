import type { NodeSpec } from './node/node-spec.ts';
import type { AdmitPod } from './pod/admission.ts';
import type { ContainerRuntime } from './runtime/runtime.ts';
import type { AnswerContext, NodeAnswers } from './server/node-answers.ts';
import type { ServingOptions } from './server/node-servers.ts';
import type { NodeFiles } from './volume-manager/files/node-files.ts';

/** Which nodes a kubelet is, and how it runs their pods. */
export interface KubeletOptions {
  /** The nodes that this agent is; one, or a whole fleet. */
  readonly nodes: readonly NodeSpec[];
  /** One that really runs containers is for one node. @default a simulated one */
  readonly runtime?: ContainerRuntime;
  /** What a node answers that does not simulate its containers. @default what simulated ones say */
  readonly answers?: (context: AnswerContext) => NodeAnswers;
  /**
   * The file system that the folder of a node (its `root`) is in. With one of your own there are no sockets in it:
   * drivers come by `registerDriver`.
   * @default that of this machine
   */
  readonly files?: (node: string) => NodeFiles;
  /** Whether a node takes a pod. @default every pod */
  readonly admit?: AdmitPod;
  /** How many pods are worked on at a time. @default 16 */
  readonly concurrency?: number;
  /** @default 10000 */
  readonly heartbeatMs?: number;
  /** A node's status is written this often when nothing is new in it. @default 300000 */
  readonly statusReportMs?: number;
  /** A node that has not renewed its lease for so long counts as lost. @default 40 */
  readonly leaseDurationSeconds?: number;
  /**
   * How long a simulated container takes to end where its pod says nothing about it. With some, whoever deletes a pod
   * and looks sees it on its way out, as with real processes. With a clock that is moved by hand none is handier.
   * @default 0
   */
  readonly terminatingMs?: number;
  /** Lets the nodes be asked for logs, commands and ports. @default nobody can ask */
  readonly serving?: ServingOptions;
}

/** The defaults of `KubeletOptions`. */
export const DEFAULT_KUBELET_OPTIONS = Object.freeze({
  concurrency: 16,
  heartbeatMs: 10_000,
  statusReportMs: 300_000,
  leaseDurationSeconds: 40,
  terminatingMs: 0,
});

/** What suits nodes that somebody watches. */
export const VISIBLE_TERMINATING_MS = 100;
