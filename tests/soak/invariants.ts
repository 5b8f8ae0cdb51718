// What must hold when a cluster has come to rest. Each fault is a sentence.
import { controllerOf, Quantity } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import { DirectPVDrive, DirectPVVolume, volumesOfDrive } from '@windlass/directpv';
import { NAMESPACE } from './churn.ts';

type Check = (client: Client) => Promise<string[]>;

/** Deployments have the pods that they ask for, running, of the newest template, and there are no others. */
const workloads: Check = async (client) => {
  const { items: deployments } = await client.resource(Deployment).namespace(NAMESPACE).list();
  const { items: sets } = await client.resource(ReplicaSet).namespace(NAMESPACE).list();
  const { items: pods } = await client.resource(Pod).namespace(NAMESPACE).list();
  const faults: string[] = [];
  const setUids = new Set(sets.map(({ metadata }) => metadata.uid));
  for (const { metadata, spec, status } of deployments) {
    const wanted = spec?.replicas ?? 1;
    if ((status?.updatedReplicas ?? 0) !== wanted || (status?.availableReplicas ?? 0) !== wanted)
      faults.push(
        `deployment ${metadata.name} wants ${wanted} and has ${status?.updatedReplicas ?? 0} updated, ${status?.availableReplicas ?? 0} available`,
      );
    const own = sets.filter((set) => controllerOf(set)?.uid === metadata.uid);
    const uids = new Set(own.map((set) => set.metadata.uid));
    const there = pods.filter(
      (pod) => uids.has(controllerOf(pod)?.uid ?? '') && pod.status?.phase === 'Running',
    );
    if (there.length !== wanted)
      faults.push(`deployment ${metadata.name} wants ${wanted} pods and ${there.length} run`);
  }
  for (const set of sets) {
    const owner = controllerOf(set);
    if (!deployments.some(({ metadata }) => metadata.uid === owner?.uid))
      faults.push(`replica set ${set.metadata.name} is an orphan`);
  }
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner?.kind === 'ReplicaSet' && !setUids.has(owner.uid))
      faults.push(`pod ${pod.metadata.name} is an orphan`);
    if (pod.metadata?.deletionTimestamp !== undefined)
      faults.push(`pod ${pod.metadata.name} is still being deleted`);
  }
  return faults;
};

/** No node has more pods bound to it than it can hold. */
const capacity: Check = async (client) => {
  const { items: nodes } = await client.resource(Node).list();
  const { items: pods } = await client.resource(Pod).list();
  return nodes.flatMap(({ metadata, status }) => {
    const most = Quantity.parse(status?.allocatable?.['pods'] ?? '0').asNumber();
    const bound = pods.filter(
      (pod) =>
        pod.spec?.nodeName === metadata.name && !['Succeeded', 'Failed'].includes(pod.status?.phase ?? ''),
    );
    return bound.length > most ? [`node ${metadata.name} has ${bound.length} pods and room for ${most}`] : [];
  });
};

/** Every claim is bound to a volume of its own; every volume is claimed. */
const claims: Check = async (client) => {
  const { items } = await client.resource(PersistentVolumeClaim).namespace(NAMESPACE).list();
  const { items: volumes } = await client.resource(PersistentVolume).list();
  const byUid = new Map(items.map((claim) => [claim.metadata.uid, claim]));
  return [
    ...items
      .filter(({ status }) => status?.phase !== 'Bound')
      .map(({ metadata, status }) => `claim ${metadata.name} is ${status?.phase}`),
    ...volumes.flatMap(({ metadata, spec, status }) => {
      const claim = byUid.get(spec?.claimRef?.uid ?? '');
      if (claim?.spec?.volumeName === metadata.name) return [];
      return [`volume ${metadata.name} is ${status?.phase} and belongs to no claim`];
    }),
  ];
};

/** Drives promise what they have and no more: free + allocated = total, allocated = the sum of the volumes. */
const drives: Check = async (client) => {
  const { items: all } = await client.resource(DirectPVDrive).list();
  const { items: volumes } = await client.resource(DirectPVVolume).list();
  const { items: persistent } = await client.resource(PersistentVolume).list();
  const faults: string[] = [];
  if (all.length === 0) faults.push('there are no drives');
  for (const drive of all) {
    const { metadata, status } = drive;
    const own = volumes.filter((volume) => volume.status.fsuuid === metadata.name);
    const sum = own.reduce((bytes, volume) => bytes + volume.status.totalCapacity, 0);
    const { totalCapacity, freeCapacity, allocatedCapacity } = status;
    if (freeCapacity + allocatedCapacity !== totalCapacity)
      faults.push(
        `drive ${metadata.name}: ${freeCapacity} free + ${allocatedCapacity} allocated is not ${totalCapacity}`,
      );
    if (allocatedCapacity !== sum)
      faults.push(`drive ${metadata.name}: ${allocatedCapacity} allocated, but its volumes have ${sum}`);
    const promised = volumesOfDrive(drive);
    if (promised.length !== own.length)
      faults.push(
        `drive ${metadata.name} has finalizers of ${promised.length} volumes, and ${own.length} volumes`,
      );
  }
  const handles = new Set(persistent.map(({ spec }) => spec?.csi?.volumeHandle));
  for (const { metadata } of volumes)
    if (!handles.has(metadata.name)) faults.push(`DirectPV volume ${metadata.name} has no persistent volume`);
  return faults;
};

const CHECKS: readonly Check[] = [workloads, capacity, claims, drives];

export async function faults(client: Client): Promise<string[]> {
  return (await Promise.all(CHECKS.map((check) => check(client)))).flat();
}
