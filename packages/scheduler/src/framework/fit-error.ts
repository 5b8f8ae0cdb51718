import type { Rejection } from './plugin.ts';

/** Why a pod fits nowhere. */
export interface Diagnosis {
  readonly nodeCount: number;
  /** By node. */
  readonly rejections: ReadonlyMap<string, Rejection>;
  /** What held for the cluster as a whole, so that no node was asked about. */
  readonly whole?: Rejection;
  /** What came of the attempt to make room. */
  readonly preemption?: string;
}

/** The plugins that stood in the way, so that only what concerns them brings the pod back. */
export function rejectingPlugins({ rejections, whole }: Diagnosis): Set<string> {
  const plugins = new Set(Array.from(rejections.values(), ({ plugin }) => plugin));
  if (whole !== undefined) plugins.add(whole.plugin);
  return plugins;
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable. preemption: …` */
export function fitMessage(diagnosis: Diagnosis): string {
  const { nodeCount, rejections, whole, preemption } = diagnosis;
  if (nodeCount === 0) return 'no nodes available to schedule pods';
  const reasons = whole === undefined ? histogram(rejections.values()) : whole.reasons.join(', ');
  const said = reasons === '' ? '' : ` ${reasons}.`;
  const after = preemption === undefined ? '' : ` preemption: ${preemption}`;
  return `0/${nodeCount} nodes are available:${said}${after}`;
}

function histogram(rejections: Iterable<Rejection>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of rejections)
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
