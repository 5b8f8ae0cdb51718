import { type Clock, withDeadline } from '@windlass/base';
import { RevisionConflictError, StorageFailedError } from '../errors.ts';
import { StoredState } from '../states/stored-state.ts';
import { asText } from './contents.ts';
import { isTransient, StorageUnavailableError, WriteOutcomeUnknownError, wasNotSent } from './errors.ts';
import { ATTEMPT_MS, type EtcdClient } from './etcd-client.ts';
import type { KeyValue, TxnResponse } from './generated/rpc.ts';
import { isUnmistakable, type PendingWrite, type PendingWrites } from './pending-writes.ts';
import type { ValueCodec } from './value-codec.ts';
import type { WatchCache } from './watch-cache.ts';

export interface WriteOptions {
  readonly client: EtcdClient;
  readonly cache: WatchCache;
  readonly values: ValueCodec;
  readonly pending: PendingWrites;
  readonly clock: Clock;
}

/** What the store knows the key as, and the lease that its value goes with. */
export interface WriteTarget {
  readonly storeKey: string;
  readonly lease: string | undefined;
}

/** So long a write is tried. */
const WRITE_MS = 10_000;

/**
 * One write, if the key is as expected. It may be sent several times, for only one of them can find the key so. When an
 * answer is lost and the key is not as expected any more, the watch tells whether it was this write, unless another server
 * may have written the same.
 *
 * @throws RevisionConflictError, StorageFailedError; StorageUnavailableError when nothing was written;
 * WriteOutcomeUnknownError when nobody knows
 */
export async function writeOnce(
  options: WriteOptions,
  write: PendingWrite,
  target: WriteTarget,
): Promise<StoredState> {
  const { pending, cache, clock } = options;
  pending.add(write);
  try {
    const { answer, isAnswerLost } = await send(options, write, target);
    if (answer === undefined) return await seen(cache, write, clock);
    const revision = answer.header?.revision ?? 0;
    if (!answer.succeeded) return await refused(options, write, target, { answer, isAnswerLost });
    await isShown(cache, revision, clock);
    if (write.stored?.revision === revision) return write.stored;
    return write.put === undefined
      ? StoredState.deletion(target.storeKey, cache.state.get(target.storeKey, undefined), revision)
      : StoredState.of(target.storeKey, write.put.object, revision);
  } finally {
    pending.remove(write);
  }
}

interface Sent {
  /** Undefined when the watch shows that it is written, whatever became of the answer. */
  readonly answer: TxnResponse | undefined;
  /** An attempt before may have been written. */
  readonly isAnswerLost: boolean;
}

async function send(
  { client, clock }: WriteOptions,
  write: PendingWrite,
  target: WriteTarget,
): Promise<Sent> {
  const end = clock.monotonic() + WRITE_MS;
  let isAnswerLost = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return { answer: await client.once((etcd) => etcd.txn(transaction(write, target))), isAnswerLost };
    } catch (error) {
      if (!wasNotSent(error) && isTransient(error)) isAnswerLost = true;
      if (isAnswerLost && write.stored !== undefined && isUnmistakable(write))
        return { answer: undefined, isAnswerLost };
      const isOver = !isTransient(error) || clock.monotonic() >= end;
      if (isOver && isAnswerLost) throw new WriteOutcomeUnknownError(target.storeKey, error);
      if (!isTransient(error)) throw refusal(error);
      if (isOver) throw new StorageUnavailableError('writing', error);
    }
    await client.pause(attempt);
  }
}

function transaction({ key, put, expected }: PendingWrite, { lease }: WriteTarget) {
  const name = Buffer.from(key);
  return {
    compare: [{ target: 'MOD', result: 'EQUAL', key: name, modRevision: expected }],
    success: [
      put === undefined
        ? { requestDeleteRange: { key: name } }
        : { requestPut: { key: name, value: put.value, ...(lease !== undefined && { lease }) } },
    ],
    failure: [{ requestRange: { key: name } }],
  } as const;
}

/** It is there, and its answer is lost. */
async function seen(cache: WatchCache, { stored, key }: PendingWrite, clock: Clock): Promise<StoredState> {
  if (stored === undefined) throw new TypeError(`the write of ${key} was not seen`);
  await isShown(cache, stored.revision, clock);
  return stored;
}

/** The key was not as expected: somebody else has written it, or an attempt of ours whose answer is lost. */
async function refused(
  { cache, values, clock }: WriteOptions,
  write: PendingWrite,
  { storeKey }: WriteTarget,
  { answer, isAnswerLost }: Sent & { readonly answer: TxnResponse },
): Promise<StoredState> {
  await isShown(cache, answer.header?.revision ?? 0, clock);
  if (isAnswerLost) {
    if (write.stored !== undefined && isUnmistakable(write)) return write.stored;
    const isAllShown = cache.state.revision >= (answer.header?.revision ?? 0) && !write.isOutOfSight;
    if (write.stored !== undefined || !isAllShown) throw new WriteOutcomeUnknownError(storeKey, undefined);
  }
  const there = answer.responses[0]?.responseRange?.kvs[0];
  throw new RevisionConflictError(storeKey, write.expected, there && stateOf(cache, values, storeKey, there));
}

function stateOf(
  cache: WatchCache,
  values: ValueCodec,
  storeKey: string,
  { key, value, modRevision }: KeyValue,
): StoredState {
  const known = cache.state.get(storeKey, undefined);
  if (known?.revision === modRevision) return known;
  return StoredState.of(storeKey, values.decode(asText(key), value, modRevision), modRevision);
}

/** Waits for the watch, so that reads of the cache see the write. Should it be late, those that must be fresh wait for it. */
async function isShown(cache: WatchCache, revision: number, clock: Clock): Promise<void> {
  using deadline = withDeadline(clock, ATTEMPT_MS, 'the watch of etcd');
  await cache.reach(revision, deadline.signal).catch(() => {});
}

/** etcd has said no, and will again. */
function refusal(error: unknown): StorageFailedError {
  const message = error instanceof Error ? error.message : String(error);
  return new StorageFailedError(`etcd does not take the write: ${message}`, {
    recoverable: true,
    cause: error,
  });
}
