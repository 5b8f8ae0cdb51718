import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { Node, PersistentVolume, Pod } from '@windlass/apimachinery/api/core/v1';
import { VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import { served } from '@windlass/apimachinery/testing';
import { attachmentName, nameOnNodes, planAttachments } from './attachments.ts';

const volume = (mode = 'ReadWriteOnce'): Served<PersistentVolume> =>
  served(PersistentVolume, {
    metadata: { name: 'pv' },
    spec: { accessModes: [mode], csi: { driver: 'd.example.com', volumeHandle: 'h' } },
  });
const pod = (name: string, nodeName: string, phase = 'Running'): Served<Pod> =>
  served(Pod, {
    metadata: { name, namespace: 'default' },
    spec: { containers: [], nodeName },
    status: { phase },
  });
const attachment = (nodeName: string, deleted = false): Served<VolumeAttachment> =>
  served(VolumeAttachment, {
    metadata: { name: nodeName, ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { attacher: 'd.example.com', nodeName, source: { persistentVolumeName: 'pv' } },
  });
interface NodeParts {
  readonly inUse?: boolean;
  readonly ready?: string;
  readonly taint?: string;
  readonly managed?: string;
}
const node = ({ inUse = false, ready = 'True', taint, managed = 'true' }: NodeParts = {}): Served<Node> =>
  served(Node, {
    metadata: { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': managed } },
    spec: taint === undefined ? {} : { taints: [{ key: taint, effect: 'NoExecute' }] },
    status: {
      conditions: [{ type: 'Ready', status: ready }],
      ...(inUse && { volumesInUse: [nameOnNodes(volume())] }),
    },
  });

interface Parts {
  readonly mode?: string;
  readonly pods?: readonly Served<Pod>[];
  readonly attachments?: readonly Served<VolumeAttachment>[];
  readonly nodes?: Record<string, Served<Node>>;
  readonly idleMs?: number;
}
function planned({
  mode,
  pods = [],
  attachments = [],
  nodes = { a: node(), b: node() },
  idleMs = 0,
}: Parts): string[] {
  const { attach, detach, conflicts, waitMs } = planAttachments({
    volume: volume(mode),
    pods,
    attachments,
    nodeOf: (name) => nodes[name],
    idleSince: new Map(attachments.map(({ spec }) => [spec.nodeName, 1000])),
    now: 1000 + idleMs,
  });
  return [
    ...attach.map((name) => `attach ${name}`),
    ...detach.map(({ spec }) => `detach ${spec.nodeName}`),
    ...conflicts.map(({ pod: who, message }) => `${who.metadata?.name}: ${message}`),
    ...(Number.isFinite(waitMs) ? [`wait ${waitMs}`] : []),
  ];
}

describe('a volume', () => {
  const both = [pod('p', 'a'), pod('q', 'b')];
  const rows: readonly [string, Parts, string[]][] = [
    ['that nobody needs stays where it is not', {}, []],
    ['comes to the node of its pod', { pods: [pod('p', 'a')] }, ['attach a']],
    ['is there once', { pods: [pod('p', 'a'), pod('q', 'a')], attachments: [attachment('a')] }, []],
    ['does not come for a pod that has ended', { pods: [pod('p', 'a', 'Succeeded')] }, []],
    [
      'does not come to a node that does it by itself',
      { pods: [pod('p', 'a')], nodes: { a: node({ managed: 'false' }) } },
      [],
    ],
    ['does not come to a node that is not there', { pods: [pod('p', 'x')] }, []],
    [
      'for one node comes to one',
      { pods: both, attachments: [attachment('a')] },
      ['q: Multi-Attach error for volume "pv" Volume is already used by pod(s) p'],
    ],
    ['for many nodes comes to many', { mode: 'ReadWriteMany', pods: both }, ['attach a', 'attach b']],
    [
      'for one node waits until it has left the other',
      { pods: [pod('q', 'b')], attachments: [attachment('a', true)] },
      [
        'q: Multi-Attach error for volume "pv" Volume is already exclusively attached to one node and can\'t be attached to another',
      ],
    ],
    ['leaves a node that has let go', { attachments: [attachment('a')] }, ['detach a']],
    [
      'stays on a node that holds it',
      { attachments: [attachment('a')], nodes: { a: node({ inUse: true }) }, idleMs: 9e9 },
      [],
    ],
    [
      'is taken from one that is not well after six minutes',
      {
        attachments: [attachment('a')],
        nodes: { a: node({ inUse: true, ready: 'Unknown' }) },
        idleMs: 360_001,
      },
      ['detach a'],
    ],
    [
      'and not before',
      {
        attachments: [attachment('a')],
        nodes: { a: node({ inUse: true, ready: 'Unknown' }) },
        idleMs: 60_000,
      },
      ['wait 300001'],
    ],
    [
      'is taken from one that is off at once',
      {
        attachments: [attachment('a')],
        nodes: { a: node({ inUse: true, ready: 'Unknown', taint: 'node.kubernetes.io/out-of-service' }) },
      },
      ['detach a'],
    ],
    [
      'is taken from one that is gone after six minutes',
      { attachments: [attachment('x')], idleMs: 360_001 },
      ['detach x'],
    ],
  ];
  for (const [what, parts, wanted] of rows) it(what, () => assert.deepEqual(planned(parts), wanted));
});

it('an attachment has one name', () => {
  assert.equal(attachmentName('h', 'd', 'n'), attachmentName('h', 'd', 'n'));
  assert.match(attachmentName('h', 'd', 'n'), /^csi-[0-9a-f]{64}$/);
});
