// What a server answered, held to what its type promises: a proxy's welcome page, or an object without a name, is
// refused here and does not make the caller's code fail later.
import type { KubeObject, RawWatchEvent, ResourceType, Served } from '@windlass/apimachinery';
import { TransportError, WatchStreamError } from '../errors.ts';

/** An answer that must be an object: a proxy's welcome page with status 200 is none. */
export function asObject(body: unknown, type: ResourceType): object {
  if (typeof body === 'object' && body !== null && !(body instanceof Uint8Array)) return body;
  throw badResponse(`the answer for ${type.plural} is no JSON object`);
}

/** An answer that must be an object with a name. */
export function asServed<T extends KubeObject>(body: unknown, type: ResourceType): Served<T> {
  const object: KubeObject = asObject(body, type);
  // Which kind of object it is, the path decided; that it has a name makes it a served one.
  if (hasName(object)) return object as Served<T>;
  throw badResponse(`the answer for ${type.plural} is ${said(object)} without metadata.name`);
}

/** @throws TransportError for the first item without a name */
export function checkItems(items: readonly unknown[], type: ResourceType): void {
  const nameless = items.findIndex((item) => !hasName(item));
  if (nameless === -1) return;
  throw badResponse(
    `the list of ${type.plural} has ${said(items[nameless])} without metadata.name at items[${nameless}]`,
  );
}

/** Why an event cannot be given to a reader; undefined when it can. */
export function eventProblem({ type, object }: RawWatchEvent): WatchStreamError | undefined {
  const isGood = type === 'BOOKMARK' ? isText(metadataOf(object)?.resourceVersion) : hasName(object);
  if (isGood || type === 'ERROR') return undefined;
  const field = type === 'BOOKMARK' ? 'resourceVersion' : 'name';
  return new WatchStreamError(
    `the watch stream has the event ${type} with ${said(object)} without metadata.${field}: is this a Kubernetes API server?`,
    { code: 'WATCH_GARBAGE' },
  );
}

function hasName(object: unknown): boolean {
  return isText(metadataOf(object)?.name);
}

function metadataOf(object: unknown): KubeObject['metadata'] | null {
  // A stranger's JSON: each step may be missing or null, and what is found is looked at before it is used.
  return (object as KubeObject | null | undefined)?.metadata;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The object by its own word. */
function said(object: unknown): string {
  // As in metadataOf: a stranger's JSON, looked at before it is used.
  const kind = (object as KubeObject | null | undefined)?.kind;
  return typeof kind === 'string' && kind !== '' ? `a ${JSON.stringify(kind)}` : 'an object';
}

function badResponse(problem: string): TransportError {
  return new TransportError(`${problem}: is this a Kubernetes API server?`, {
    code: 'BAD_RESPONSE',
    sent: true,
  });
}
