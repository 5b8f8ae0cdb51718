// What people do with claims, with disks of a zone, and with pods that use one claim or two.
import { isAlreadyExists, isConflict, isForbidden, isNotFound, StatusError } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import type { User } from '@windlass/simulation';
import { disk } from './disk.ts';

export const ZONES = ['a', 'b'];
const NAMES = 4;

/** What may rightly come of a request in the middle of all this. */
const EXPECTED = [isAlreadyExists, isConflict, isForbidden, isNotFound];

const ACTS: readonly ((user: User) => Promise<unknown>)[] = [
  makeClaim,
  makeClaim,
  makeClaim,
  makeClaim,
  makeDisk,
  makeDisk,
  makeDisk,
  makePod,
  makePod,
  makePod,
  makePod,
  deleteClaim,
  makeClaimAnew,
  makeClaimAnewUnderPod,
  makeClaimAnewUnderPod,
  deletePod,
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

function makeClaim(user: User): Promise<unknown> {
  return newClaim(user, `c${user.random.int(NAMES)}`);
}

function newClaim({ client, random }: User, name: string): Promise<unknown> {
  const storageClassName = ['local', 'made', 'hand'][random.int(3)] ?? 'local';
  return claims(client).create({
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      resources: { requests: { storage: '1Gi' } },
    },
  });
}

function deleteClaim({ client, random }: User): Promise<unknown> {
  return claims(client).delete(`c${random.int(NAMES)}`);
}

/** Another one of the same name, soon after or at once: who knew the first must not take it for that. */
async function makeClaimAnew(user: User): Promise<void> {
  const name = `c${user.random.int(NAMES)}`;
  await claims(user.client).delete(name);
  await user.pass(user.random.int(2) === 0 ? 0 : user.random.int(100));
  await newClaim(user, name);
}

/** A pod that is on its way to a node because of a claim that is no more. */
async function makeClaimAnewUnderPod(user: User): Promise<void> {
  const name = `c${user.random.int(NAMES)}`;
  await newClaim(user, name);
  await newPod(user, [name]);
  await user.pass(user.random.int(user.random.int(2) === 0 ? 50 : 2000));
  await claims(user.client).delete(name);
  await user.pass(user.random.int(2) === 0 ? 0 : user.random.int(100));
  await newClaim(user, name);
}

function makeDisk({ client, random }: User): Promise<unknown> {
  const kind = ['local', 'hand'][random.int(2)] ?? 'local';
  const zone = ZONES[random.int(ZONES.length)] ?? 'a';
  return client
    .resource(PersistentVolume)
    .create(disk(`v-${kind}-${random.int(NAMES)}`, kind, zone, 'Retain'));
}

function makePod(user: User): Promise<unknown> {
  const { random } = user;
  const first = random.int(NAMES);
  const used = random.int(2) === 0 ? [first] : [first, (first + 1 + random.int(NAMES - 1)) % NAMES];
  return newPod(
    user,
    used.map((index) => `c${index}`),
  );
}

function newPod({ client, random }: User, used: readonly string[]): Promise<unknown> {
  return pods(client).create({
    metadata: { name: `p${random.int(NAMES)}` },
    spec: {
      containers: [{ name: 'main', image: 'i' }],
      volumes: used.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: claim } })),
    },
  });
}

function deletePod({ client, random }: User): Promise<unknown> {
  const options = random.int(2) === 0 ? { gracePeriodSeconds: 0 } : {};
  return pods(client).delete(`p${random.int(NAMES)}`, options);
}

function wait(user: User): Promise<void> {
  return user.pass(user.random.int(15_000));
}

const claims = (client: Client) => client.resource(PersistentVolumeClaim).namespace('default');
const pods = (client: Client) => client.resource(Pod).namespace('default');
