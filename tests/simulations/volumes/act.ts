// What people do with claims, and with pods and stateful sets that use them.
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  StatusError,
} from '@windlass/apimachinery';
import { StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { PersistentVolumeClaim, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import { DRIVER_NAME } from '@windlass/directpv';
import type { User } from '@windlass/simulation';

const CLAIMS = 4;
const SETS = 2;

/** What may rightly come of a request in the middle of all this. A claim that is not bound cannot grow. */
const EXPECTED = [isAlreadyExists, isConflict, isForbidden, isInvalid, isNotFound];

const ACTS: readonly ((user: User) => Promise<unknown>)[] = [
  makeClaim,
  makeClaim,
  growClaim,
  deleteClaim,
  makePod,
  makePod,
  makePod,
  deletePod,
  deletePod,
  applySet,
  applySet,
  deleteSet,
  deleteAnyPod,
  wait,
  wait,
];

/** One thing, as the user's chance has it. What a server may rightly refuse is no failure. */
export async function act(user: User): Promise<void> {
  const what = ACTS[user.random.int(ACTS.length)];
  try {
    await what?.(user);
  } catch (error) {
    if (!(error instanceof StatusError) || !EXPECTED.some((is) => is(error))) throw error;
  }
}

function makeClaim({ client, random }: User): Promise<unknown> {
  const name = `c${random.int(CLAIMS)}`;
  const spec = claimSpec(1 + random.int(3));
  const accessModes = [random.int(4) === 0 ? 'ReadWriteOncePod' : 'ReadWriteOnce'];
  return claims(client).create({ metadata: { name }, spec: { ...spec, accessModes } });
}

function growClaim({ client, random }: User): Promise<unknown> {
  const storage = `${3 + random.int(4)}Gi`;
  return claims(client).patch(`c${random.int(CLAIMS)}`, {
    spec: { resources: { requests: { storage } } },
  });
}

function deleteClaim({ client, random }: User): Promise<unknown> {
  return claims(client).delete(`c${random.int(CLAIMS)}`);
}

function makePod({ client, random }: User): Promise<unknown> {
  const first = random.int(CLAIMS);
  const used = random.int(4) > 0 ? [first] : [first, (first + 1 + random.int(CLAIMS - 1)) % CLAIMS];
  const names = used.map((index) => `c${index}`);
  return pods(client).create({
    metadata: { name: `p${random.int(CLAIMS)}` },
    spec: {
      ...podSpec(...names),
      volumes: names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    },
  });
}

function deletePod({ client, random }: User): Promise<unknown> {
  const name = `p${random.int(CLAIMS)}`;
  return pods(client).delete(name, random.int(4) === 0 ? { gracePeriodSeconds: 0 } : {});
}

async function deleteAnyPod({ client, random }: User): Promise<void> {
  const { items } = await pods(client).list();
  const one = items[random.int(Math.max(1, items.length))];
  if (one !== undefined) await pods(client).delete(one.metadata.name);
}

async function applySet({ client, random }: User): Promise<unknown> {
  const name = `s${random.int(SETS)}`;
  const replicas = random.int(4);
  const sets = client.resource(StatefulSet).namespace('default');
  try {
    return await sets.patch(name, { spec: { replicas } }, { type: 'merge' });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return sets.create({
    metadata: { name },
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: random.int(2) === 0 ? 'Parallel' : 'OrderedReady',
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: podSpec('data') },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec(1) }],
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: 'Delete',
        whenScaled: random.int(2) === 0 ? 'Delete' : 'Retain',
      },
    },
  });
}

function deleteSet({ client, random }: User): Promise<unknown> {
  return client
    .resource(StatefulSet)
    .namespace('default')
    .delete(`s${random.int(SETS)}`, { propagationPolicy: 'Background' });
}

function wait(user: User): Promise<void> {
  return user.pass(user.random.int(30_000));
}

const claims = (client: Client) => client.resource(PersistentVolumeClaim).namespace('default');
const pods = (client: Client) => client.resource(Pod).namespace('default');

function claimSpec(gib: number): NonNullable<PersistentVolumeClaim['spec']> {
  return {
    accessModes: ['ReadWriteOnce'],
    storageClassName: DRIVER_NAME,
    resources: { requests: { storage: `${gib}Gi` } },
  };
}

function podSpec(...volumes: readonly string[]): PodSpec {
  return {
    terminationGracePeriodSeconds: 2,
    containers: [
      { name: 'main', image: 'i', volumeMounts: volumes.map((name) => ({ name, mountPath: `/${name}` })) },
    ],
  };
}
