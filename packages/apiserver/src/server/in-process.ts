import type {
  ApiRequest,
  ApiResponse,
  ApiStreamResponse,
  ApiUpgradeResponse,
  ApiWatchResponse,
  Transport,
} from '@windlass/apimachinery';
import { abortError, fieldOf, onAbort, throwIfAborted } from '@windlass/base';
import { socketPair } from '@windlass/streams';
import type { UserInfo } from '../access/user.ts';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { Stored } from '../resource/strategy.ts';
import type { Dispatcher } from './dispatcher.ts';
import { toMetadata, toMetadataList } from './encode/table.ts';
import { streamedEvents, streamedValue } from './streamed-answer.ts';

/**
 * The server's handlers as a Transport: the same checks and the same answers as over HTTP, but no sockets
 * and no JSON. What it answers are the server's own objects, shared and frozen.
 */
export function inProcessTransport(dispatcher: Pick<Dispatcher, 'handle'>, user: UserInfo): Transport {
  return {
    async request(request: ApiRequest): Promise<ApiResponse> {
      return toApiResponse(request, await dispatcher.handle({ ...unpacked(request), user }));
    },
    async watch(request: ApiRequest): Promise<ApiWatchResponse> {
      const response = await dispatcher.handle({ ...unpacked(request), user });
      if (response.type === 'watch')
        return { status: 200, headers: response.headers ?? {}, events: response.events };
      if (response.type === 'stream' && response.status === 200)
        return { status: 200, headers: response.headers ?? {}, events: streamedEvents(response.body) };
      const { status, headers, body } = await toApiResponse(request, response);
      return { status, headers, body };
    },
    async stream(request: ApiRequest): Promise<ApiStreamResponse> {
      const response = await dispatcher.handle({ ...unpacked(request), user });
      if (response.type === 'stream' && response.status === 200)
        return {
          status: 200,
          headers: response.headers ?? {},
          bytes: untilAbort(response.body, request.signal),
        };
      return toApiResponse(request, response);
    },
    async upgrade(request: ApiRequest): Promise<ApiUpgradeResponse> {
      const headers = { ...request.headers, connection: 'Upgrade' };
      const response = await dispatcher.handle({ ...request, headers, user, isUpgrade: true });
      if (response.type !== 'upgrade') return toApiResponse(request, response);
      const [client, server] = socketPair();
      const { signal } = request;
      const release = onAbort(signal, () => {
        if (signal !== undefined) client.destroy(abortError(signal));
      });
      client.once('close', release);
      void response.run(server).finally(() => server.end());
      return { status: 101, headers: response.headers, socket: client };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** A reader that was told to stop is told so, and not that the connection to the node broke. */
async function* untilAbort(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
  throwIfAborted(signal);
}

/** What another server answers is not worth packing for a caller in this process. */
function unpacked(request: ApiRequest): ApiRequest {
  const { 'accept-encoding': _, ...headers } = request.headers ?? {};
  return { ...request, headers };
}

async function toApiResponse(request: ApiRequest, response: ServerResponse): Promise<ApiResponse> {
  const headers = response.headers ?? {};
  const wantsMetadata = (request.headers?.['accept'] ?? '').includes('as=PartialObjectMetadata');
  switch (response.type) {
    case 'object': {
      const { status, object } = response;
      const isNamed = fieldOf(fieldOf(object, 'metadata'), 'name') !== undefined;
      return {
        status,
        headers,
        // A success that has a name is an object of a resource.
        body: wantsMetadata && status < 300 && isNamed ? toMetadata(object as Stored, 'v1') : object,
      };
    }
    case 'list': {
      const { kind, apiVersion, metadata, items } = response.list;
      const body = wantsMetadata
        ? toMetadataList(response.list, 'v1')
        : { kind, apiVersion, metadata, items: items.map(({ object }) => object) };
      return { status: 200, headers, body };
    }
    case 'bytes':
      return {
        status: response.status,
        headers: { ...headers, 'content-type': response.contentType },
        body: response.body,
      };
    case 'stream':
      return { status: response.status, headers, body: await streamedValue(response) };
    case 'upgrade':
      throw new TypeError('a connection was asked for within the process');
    case 'watch':
      throw new TypeError('a watch was asked for as if it were one answer');
    default:
      return response satisfies never;
  }
}
