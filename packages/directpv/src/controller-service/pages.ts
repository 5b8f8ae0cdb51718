import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { GrpcError } from '@windlass/csi';
import { ANNOTATIONS } from '../resources/index.ts';

/** Which part of a list is asked for. */
export interface PageRequest {
  /** 0: everything. */
  readonly maxEntries: number;
  readonly startingToken: string;
}

/**
 * Objects in the order in which they were asked for, so that one that is made while somebody reads page after page
 * comes on a later one. A token names the last object of its page, which need not exist any more.
 */
export function pageOf<T extends DeepReadonly<KubeObject>>(
  objects: readonly T[],
  { maxEntries, startingToken }: PageRequest,
): { readonly page: readonly T[]; readonly nextToken: string } {
  if (maxEntries < 0)
    throw new GrpcError('INVALID_ARGUMENT', `max_entries is ${maxEntries}, but must be at least 0`);
  const after = startingToken === '' ? '' : parseToken(startingToken);
  const all = objects
    .map((object) => ({ object, position: positionOf(object) }))
    .filter(({ position }) => position > after)
    .sort((a, b) => (a.position < b.position ? -1 : 1));
  const page = maxEntries === 0 ? all : all.slice(0, maxEntries);
  const last = page.at(-1);
  return {
    page: page.map(({ object }) => object),
    nextToken: last === undefined || page.length === all.length ? '' : formatToken(last.position),
  };
}

function positionOf({ metadata }: DeepReadonly<KubeObject>): string {
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
