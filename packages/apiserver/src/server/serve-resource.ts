import { newMethodNotSupported } from '@windlass/apimachinery';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { LargeWrites } from '../large-writes/large-writes.ts';
import { readBody } from '../request/body.ts';
import { type DeleteParameters, parseDeleteParameters } from '../request/delete-options.ts';
import { first, parseListParameters } from '../request/list-options.ts';
import { onlyNamed } from '../request/only-named.ts';
import { deleteObject } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import { getObject } from '../verbs/get.ts';
import { listObjects } from '../verbs/list.ts';
import { listComputed } from '../verbs/read-computed.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import { watchObjects } from '../verbs/watch.ts';
import { performWrite, type WriteCall, type WriteVerb } from '../verbs/write.ts';
import { contextOf, type ResourceCall, targetOf } from './call.ts';

export interface ServeOptions {
  readonly runtime: VerbRuntime;
  /** Writes that would hold up everybody else. @default all writes are done on this thread */
  readonly largeWrites?: LargeWrites | undefined;
}

/** The verbs of a resource. A part of an object is read as the object, and written by `serveWrite`. */
export async function serveResource(call: ResourceCall, options: ServeOptions): Promise<ServerResponse> {
  const { info, definition, request } = call;
  const { runtime } = options;
  const { query = {} } = request;
  switch (info.verb) {
    case 'get': {
      const { computed } = definition;
      if (computed !== undefined)
        return { type: 'object', status: 200, object: await computed.get(info.namespace, info.name) };
      const found = await getObject(runtime, targetOf(call, runtime), first(query['resourceVersion']));
      return { type: 'object', status: 200, ...found };
    }
    case 'list':
    case 'watch': {
      // The caller was authorised for `info.name`, so nothing else is listed or watched.
      const parameters = onlyNamed(parseListParameters(query, info.verb === 'watch'), info.name);
      const target = targetOf(call, runtime);
      const { computed } = definition;
      if (computed !== undefined)
        return { type: 'list', status: 200, list: await listComputed(computed, target, parameters) };
      return info.verb === 'list'
        ? { type: 'list', status: 200, list: await listObjects(runtime, target, parameters) }
        : {
            type: 'watch',
            status: 200,
            events: await watchObjects(runtime, target, parameters, request.onWatchBegun),
          };
    }
    case 'create':
    case 'update':
    case 'patch':
      return serveWrite(call, info.verb, '', options);
    case 'delete': {
      const parameters = deleteParametersOf(call);
      const target = targetOf(call, runtime, { isDryRun: parameters.dryRun.length > 0 });
      const { answer, isGone } = await deleteObject(runtime, target, parameters);
      const status = !isGone && parameters.orphanDependents === false ? 202 : 200;
      return { type: 'object', status, object: answer };
    }
    case 'deletecollection': {
      const parameters = deleteParametersOf(call);
      const target = targetOf(call, runtime, { isDryRun: parameters.dryRun.length > 0 });
      const selected = parseListParameters(query, false);
      return {
        type: 'list',
        status: 200,
        list: await deleteCollection(runtime, target, selected, parameters),
      };
    }
    default:
      throw newMethodNotSupported({ group: definition.group, resource: definition.plural }, info.verb);
  }
}

/** @param subresource empty for the object itself */
export async function serveWrite(
  call: ResourceCall,
  verb: WriteVerb,
  subresource: string,
  { runtime, largeWrites }: ServeOptions,
): Promise<ServerResponse> {
  const { request, definition, info, audit } = call;
  const { namespace, name } = info;
  const write: WriteCall = {
    verb,
    definition,
    namespace,
    name,
    subresource,
    request,
    contextFor: (options) => contextOf(call, runtime, options),
    onRequestObject: audit === undefined ? undefined : (value) => audit.requestObject(value),
  };
  const isLarge = largeWrites !== undefined && (await largeWrites.takes(write));
  const outcome = isLarge
    ? await largeWrites.perform(write, request.user, request.signal)
    : await performWrite(runtime, write);
  return { type: 'object', ...outcome };
}

function deleteParametersOf({ request, audit }: ResourceCall): DeleteParameters {
  const body = readBody(request, false)?.value;
  if (body !== undefined) audit?.requestObject(body);
  return parseDeleteParameters(body, request.query ?? {});
}
