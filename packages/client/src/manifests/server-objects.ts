import { deepEqual, isNotFound, type ResourceType, type ServedResource } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Clock, sleep } from '@windlass/base';
import type { Client, DynamicObject } from '../client.ts';
import { NoMatchError } from '../errors.ts';
import type { CallOptions } from '../policy/api-caller.ts';
import type { ApplyOptions } from '../resource/options.ts';
import type { ResourceClient } from '../resource/resource-client.ts';

export interface Applied {
  readonly action: 'created' | 'configured' | 'unchanged';
  readonly object: DynamicObject;
}

/** The client for a kind that the server was asked about, in a namespace if the kind has them. */
export function clientOf(
  client: Client,
  type: ServedResource | ResourceType,
  namespace: string | undefined,
): ResourceClient<DynamicObject> {
  const { group, version, kind } = type;
  const resource = client.resource<DynamicObject>({ group, version, kind });
  return type.namespaced && namespace !== undefined ? resource.namespace(namespace) : resource;
}

/** Applies one object and says whether that changed anything. */
export async function applyOne(
  resource: ResourceClient<DynamicObject>,
  object: DynamicObject,
  options: ApplyOptions,
): Promise<Applied> {
  const before = await orUndefined(resource.get(object.metadata?.name ?? '', callOptions(options.signal)));
  const after: DynamicObject = await resource.apply(object, options);
  if (before === undefined) return { action: 'created', object: after };
  return { action: isSame(before, after) ? 'unchanged' : 'configured', object: after };
}

/** Controllers may write the status meanwhile, and a dry run has no new version. */
function isSame(before: DynamicObject, after: DynamicObject): boolean {
  return deepEqual(comparable(before), comparable(after));
}

function comparable({ status: _status, metadata, ...rest }: DynamicObject): unknown {
  const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata ?? {};
  return { ...rest, metadata: kept };
}

/** Undefined when it is not there. */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

export function callOptions(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}

const POLL_MS = 200;

/**
 * Waits until objects of a new definition can be written.
 * @throws NoMatchError when the time is over, with what the server says of the definition
 */
export async function whenEstablished(
  client: Client,
  name: string,
  {
    clock,
    timeoutMs,
    signal,
  }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const definitions = client.resource(CustomResourceDefinition);
  const end = clock.monotonic() + timeoutMs;
  for (;;) {
    const { spec, status } = await definitions.get(name, callOptions(signal));
    const conditions = status?.conditions ?? [];
    const refused = conditions.find(({ type, status: is }) => type === 'NamesAccepted' && is === 'False');
    const isEstablished = conditions.some(({ type, status: is }) => type === 'Established' && is === 'True');
    if (isEstablished && (await isServed(client, spec.group, spec.names.kind, signal))) return;
    if (refused !== undefined || clock.monotonic() >= end)
      throw new NoMatchError(
        `the definition ${name} is not established${refused === undefined ? ` after ${timeoutMs / 1000} s` : `: ${refused.message ?? ''}`}`,
      );
    await sleep(clock, POLL_MS, signal);
  }
}

async function isServed(
  client: Client,
  group: string,
  kind: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await client.discovery.kind({ group, kind }, callOptions(signal));
    return true;
  } catch (error) {
    if (error instanceof NoMatchError) return false;
    throw error;
  }
}
