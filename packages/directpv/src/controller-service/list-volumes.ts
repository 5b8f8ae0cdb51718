import { type Cached, hasFinalizer, isBeingDeleted } from '@windlass/apimachinery';
import {
  GrpcError,
  type ListVolumesRequest,
  type ListVolumesResponse,
  type MessageInit,
} from '@windlass/csi';
import { ANNOTATIONS, type DirectPVVolume, FINALIZERS } from '../resources/index.ts';
import type { ControllerContext } from './context.ts';
import { conditionOf, toCsiVolume } from './csi-volume.ts';

type Volume = Cached<DirectPVVolume>;

/**
 * Volumes in the order in which they were made, so that one that is made while somebody reads page after page comes
 * on a later one. A token names the last volume of its page, which need not exist any more.
 */
export async function listVolumes(
  { volumes, ledger }: ControllerContext,
  { maxEntries, startingToken }: ListVolumesRequest,
  signal: AbortSignal,
): Promise<MessageInit<ListVolumesResponse>> {
  if (maxEntries < 0)
    throw new GrpcError('INVALID_ARGUMENT', `max_entries is ${maxEntries}, but must be at least 0`);
  const after = startingToken === '' ? '' : parseToken(startingToken);
  const all = (await volumes.list({ signal }))
    .filter((volume) => !isGoing(volume))
    .map((volume) => ({ volume, position: positionOf(volume) }))
    .filter(({ position }) => position > after)
    .sort((a, b) => (a.position < b.position ? -1 : 1));
  const page = maxEntries === 0 ? all : all.slice(0, maxEntries);
  const last = page.at(-1);
  return {
    entries: page.map(({ volume }) => {
      const drive = ledger.get(volume.status.fsuuid);
      return {
        volume: toCsiVolume(volume, drive),
        status: { publishedNodeIds: [], volumeCondition: conditionOf(volume, drive) },
      };
    }),
    nextToken: last === undefined || page.length === all.length ? '' : formatToken(last.position),
  };
}

/** DeleteVolume has been answered: to callers it is gone. */
export function isGoing(volume: Volume): boolean {
  return isBeingDeleted(volume) && !hasFinalizer(volume, FINALIZERS.pvProtection);
}

function positionOf({ metadata }: Volume): string {
  const { annotations, creationTimestamp, name } = metadata ?? {};
  return `${annotations?.[ANNOTATIONS.createdAt] ?? creationTimestamp ?? ''} ${name ?? ''}`;
}

const TOKEN = /^\S* \S+$/;

function formatToken(position: string): string {
  return Buffer.from(position).toString('base64url');
}

function parseToken(token: string): string {
  const position = Buffer.from(token, 'base64url').toString('utf8');
  if (!TOKEN.test(position) || formatToken(position) !== token)
    throw new GrpcError('ABORTED', `starting_token ${JSON.stringify(token)} is none of ours; start anew`);
  return position;
}
