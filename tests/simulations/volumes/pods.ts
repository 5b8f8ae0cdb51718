// Pods are where their volumes are, run only with them, and run when they can.
import assert from 'node:assert/strict';
import { isBeingDeleted, volumeReaches } from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { State } from '@windlass/simulation';

export const KUBELET = '/var/lib/kubelet';

const claimNames = ({ spec }: Pod): string[] =>
  (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

/** A pod runs only where its volumes are. */
export async function podsAreWhereTheirVolumesAre(state: State): Promise<string | undefined> {
  for (const pod of await state.list(Pod)) {
    const { metadata, spec, status } = pod;
    if (status?.phase !== 'Running') continue;
    const node = await state.find(Node, spec?.nodeName ?? '');
    for (const { persistentVolumeClaim } of spec?.volumes ?? []) {
      if (persistentVolumeClaim === undefined) continue;
      const claim = await state.find(PersistentVolumeClaim, persistentVolumeClaim.claimName);
      // It comes from the server.
      const volume = await state.find(PersistentVolume, claim?.spec?.volumeName ?? '');
      if (volume === undefined || node === undefined || !volumeReaches(volume, node))
        return `${metadata?.name} runs on ${spec?.nodeName} without its volume ${claim?.spec?.volumeName}`;
    }
  }
  return undefined;
}

/** When a pod begins to run, each of its claims is mounted in its folder. */
export async function podsRunWithTheirVolumes(state: State): Promise<string | undefined> {
  for (const { key, verb, object, previous } of state.news) {
    if (!key.startsWith('//pods/') || verb !== 'update') continue;
    // The key says what kind it is.
    const [pod, before] = [object as Pod, previous as Pod | undefined];
    if (pod.status?.phase !== 'Running' || before?.status?.phase === 'Running') continue;
    const missing = await notMounted(state, pod);
    if (missing !== undefined) return `${pod.metadata?.name} runs, and ${missing} is not mounted`;
  }
  return undefined;
}

/** Who can run, runs, and has its volumes in its folder. */
export async function podsAreRight(state: State): Promise<void> {
  for (const pod of await state.list(Pod)) {
    const { metadata, status } = pod;
    assert.equal(metadata.deletionTimestamp, undefined, `${metadata.name} does not go`);
    if (status?.phase !== 'Running' && (await mayWait(state, pod))) continue;
    assert.equal(status?.phase, 'Running', metadata.name);
    assert.equal(await notMounted(state, pod), undefined, metadata.name);
  }
}

/** Where something that the pod uses should be mounted, and is not; undefined when all is. */
async function notMounted(state: State, pod: Pod): Promise<string | undefined> {
  const { metadata, spec } = pod;
  const mounts = (await state.machine(spec?.nodeName ?? '')?.mounts()) ?? [];
  for (const name of claimNames(pod)) {
    const claim = await state.find(PersistentVolumeClaim, name);
    const folder = `${KUBELET}/pods/${metadata?.uid}/volumes/kubernetes.io~csi`;
    const target = `${folder}/${claim?.spec?.volumeName}/mount`;
    if (mounts.filter(({ mountPoint }) => mountPoint === target).length !== 1) return target;
  }
  return undefined;
}

/**
 * Who names a claim that is not there, or that goes, waits for ever, and rightly so. So does who uses two claims when they
 * are on two nodes, or may be: the second is made where the first is, if there is room. A claim for one pod has one pod.
 */
async function mayWait(state: State, pod: Pod): Promise<boolean> {
  const nodes = await state.list(Node);
  const used = claimNames(pod);
  const reached = new Set(nodes.map(({ metadata }) => metadata.name));
  for (const name of used) {
    const claim = await state.find(PersistentVolumeClaim, name);
    if (claim === undefined || isBeingDeleted(claim)) return true;
    const volume = await state.find(PersistentVolume, claim.spec?.volumeName ?? '');
    if (volume === undefined && used.length > 1) return true;
    for (const node of nodes)
      if (volume !== undefined && !volumeReaches(volume, node)) reached.delete(node.metadata.name);
    if (claim.spec?.accessModes?.join() === 'ReadWriteOncePod' && (await hasAnother(state, pod, name)))
      return true;
  }
  return reached.size === 0;
}

async function hasAnother(state: State, { metadata }: Pod, claim: string): Promise<boolean> {
  return (await state.list(Pod)).some(
    (other) =>
      other.metadata.uid !== metadata?.uid &&
      other.spec?.nodeName !== undefined &&
      claimNames(other).includes(claim),
  );
}
