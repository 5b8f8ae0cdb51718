import type { ApiRequest, ApiResponse, ApiWatchResponse, Transport } from '@windlass/apimachinery';
import type { UserInfo } from '../access/user.ts';
import type { Stored } from '../resource/strategy.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ServerResponse } from './exchange.ts';
import { toMetadata, toMetadataList } from './table.ts';

/**
 * The server's handlers as a Transport: the same checks and the same answers as over HTTP, but no sockets
 * and no JSON. What it answers are the server's own objects, shared and frozen.
 */
export function inProcessTransport(dispatcher: Pick<Dispatcher, 'handle'>, user: UserInfo): Transport {
  return {
    async request(request: ApiRequest): Promise<ApiResponse> {
      return toApiResponse(request, await dispatcher.handle({ ...request, user }));
    },
    async watch(request: ApiRequest): Promise<ApiWatchResponse> {
      const response = await dispatcher.handle({ ...request, user });
      if (response.type === 'watch')
        return { status: 200, headers: response.headers ?? {}, events: response.events };
      const { status, headers, body } = toApiResponse(request, response);
      return { status, headers, body };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function toApiResponse(request: ApiRequest, response: ServerResponse): ApiResponse {
  const headers = response.headers ?? {};
  const wantsMetadata = (request.headers?.['accept'] ?? '').includes('as=PartialObjectMetadata');
  switch (response.type) {
    case 'object': {
      const isObject =
        wantsMetadata && response.status < 300 && (response.object as Stored).metadata?.name !== undefined;
      return {
        status: response.status,
        headers,
        body: isObject ? toMetadata(response.object as Stored, 'v1') : response.object,
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
    case 'watch':
      throw new TypeError('a watch was asked for as if it were one answer');
    default:
      return response satisfies never;
  }
}
