import { createHash } from 'node:crypto';
import { type Cached, isBeingDeleted, keyOf } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import type { ReadonlyVolume } from '../persistent-volume-binder/decide-claim.ts';
import { annotationsOf } from '../shared/meta.ts';
import { isReady, isTerminal, type ReadonlyPod } from '../shared/pods.ts';

export type ReadonlyAttachment = Cached<VolumeAttachment>;
type ReadonlyNode = Cached<Node>;

const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
/** So long a node that is not well may hold on to a volume that nobody needs there any more. */
const MAX_HOLD_MS = 360_000;

/** The one name that a volume's attachment to a node can have, so that there are never two. */
export function attachmentName(handle: string, driver: string, node: string): string {
  return `csi-${createHash('sha256').update(handle).update(driver).update(node).digest('hex')}`;
}

/** What nodes call a volume in their status. */
export function nameOnNodes({ spec }: ReadonlyVolume): string {
  return `kubernetes.io/csi/${spec?.csi?.driver}^${spec?.csi?.volumeHandle}`;
}

function mayHaveManyNodes({ spec }: ReadonlyVolume): boolean {
  const modes = spec?.accessModes ?? [];
  return modes.length === 0 || modes.includes('ReadWriteMany') || modes.includes('ReadOnlyMany');
}

export interface AttachmentsInput {
  readonly volume: ReadonlyVolume;
  /** Those that name its claim. */
  readonly pods: readonly ReadonlyPod[];
  readonly attachments: readonly ReadonlyAttachment[];
  readonly nodeOf: (name: string) => ReadonlyNode | undefined;
  /** Since when each node has not needed the volume any more. */
  readonly idleSince: ReadonlyMap<string, number>;
  readonly now: number;
}

export interface AttachmentsPlan {
  /** Nodes. */
  readonly attach: readonly string[];
  readonly detach: readonly ReadonlyAttachment[];
  readonly conflicts: readonly { readonly pod: ReadonlyPod; readonly message: string }[];
  readonly idleSince: ReadonlyMap<string, number>;
  /** When to look again although nothing happens; Infinity when there is no such time. */
  readonly waitMs: number;
}

/** Which nodes a volume shall be attached to, and which it shall leave. */
export function planAttachments(input: AttachmentsInput): AttachmentsPlan {
  const { volume, pods, attachments, nodeOf, now } = input;
  const wanting = pods.filter(
    (pod) => !isTerminal(pod) && annotationsOf(nodeOf(pod.spec?.nodeName ?? '') ?? {})[MANAGED] === 'true',
  );
  const wanted = new Set(wanting.map(({ spec }) => spec?.nodeName ?? ''));
  const attached = new Set(attachments.map(({ spec }) => spec.nodeName));
  const attach: string[] = [];
  const conflicts: { pod: ReadonlyPod; message: string }[] = [];
  for (const node of wanted) {
    if (attached.has(node)) continue;
    // One that is on its way to a node is there for all that others know.
    if (mayHaveManyNodes(volume) || (attached.size === 0 && attach.length === 0)) attach.push(node);
    else
      for (const pod of wanting.filter(({ spec }) => spec?.nodeName === node))
        conflicts.push({ pod, message: conflictMessage(volume, pod, pods) });
  }
  const idleSince = new Map<string, number>();
  const detach: ReadonlyAttachment[] = [];
  let waitMs = Number.POSITIVE_INFINITY;
  for (const attachment of attachments) {
    const { nodeName } = attachment.spec;
    if (wanted.has(nodeName) || isBeingDeleted(attachment)) continue;
    const since = input.idleSince.get(nodeName) ?? now;
    idleSince.set(nodeName, since);
    const leftMs = holdMs(volume, nodeOf(nodeName), now - since);
    if (leftMs <= 0) detach.push(attachment);
    else waitMs = Math.min(waitMs, leftMs);
  }
  return { attach, detach, conflicts, idleSince, waitMs };
}

/** How long the volume has to stay on a node that does not need it: until the node has let go of it. */
function holdMs(volume: ReadonlyVolume, node: ReadonlyNode | undefined, idleMs: number): number {
  const isHeld = node === undefined || (node.status?.volumesInUse ?? []).includes(nameOnNodes(volume));
  if (!isHeld) return 0;
  if ((node?.spec?.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE)) return 0;
  // Nodes have the same kind of condition as pods.
  const isWell = isReady({ status: { conditions: node?.status?.conditions ?? [] } });
  return isWell ? Number.POSITIVE_INFINITY : MAX_HOLD_MS - idleMs + 1;
}

function conflictMessage(volume: ReadonlyVolume, pod: ReadonlyPod, pods: readonly ReadonlyPod[]): string {
  const others = pods.filter(
    (other) =>
      keyOf(other) !== keyOf(pod) && other.spec?.nodeName !== pod.spec?.nodeName && !isTerminal(other),
  );
  const near = others
    .filter((other) => other.metadata.namespace === pod.metadata.namespace)
    .map(({ metadata }) => metadata.name);
  const why =
    near.length > 0
      ? `Volume is already used by pod(s) ${near.toSorted().join(', ')}`
      : "Volume is already exclusively attached to one node and can't be attached to another";
  return `Multi-Attach error for volume "${volume.metadata.name}" ${why}`;
}
