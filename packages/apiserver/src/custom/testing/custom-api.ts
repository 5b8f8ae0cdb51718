import assert from 'node:assert/strict';
import type { ApiResponse, Schema, Status, Transport } from '@windlass/apimachinery';
import { type Clock, realClock } from '@windlass/base';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/index.ts';
import type { DefinitionVersion } from '../definition/definition-object.ts';

export type Json = Record<string, unknown>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const GROUP = 'test.windlass.dev';

/** An API server in memory, for tests of custom resources. */
export class CustomApi implements AsyncDisposable {
  readonly server: ApiServer;
  readonly transport: Transport;

  constructor(clock: Clock = realClock) {
    this.server = new ApiServer({ store: createMemoryStore({ clock }), clock });
    this.transport = this.server.transport();
  }

  async call(
    method: Method,
    path: string,
    body?: unknown,
    query: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.transport.request({ method, path, query, ...(body !== undefined && { body }) });
  }

  patch(type: string, path: string, body: unknown, query: Record<string, string> = {}): Promise<ApiResponse> {
    return this.transport.request({
      method: 'PATCH',
      path,
      query,
      body,
      headers: { 'content-type': `application/${type}` },
    });
  }

  /** The body of an answer that must have this status. */
  async must(status: number, answer: Promise<ApiResponse>): Promise<Json> {
    const { status: actual, body } = await answer;
    assert.equal(actual, status, JSON.stringify(body));
    return body as Json;
  }

  /** Creates a definition and waits until it is established. */
  async define(definition: Json): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const created = await this.must(201, this.call('POST', path, definition));
    await this.untilDefinition(nameOf(created), (object) => conditionOf(object, 'Established') === 'True');
  }

  /** Resolves with the first state of a definition that fits; undefined when it is gone. */
  async untilDefinition(
    name: string,
    fits: (object: Json | undefined) => boolean,
  ): Promise<Json | undefined> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const query = { fieldSelector: `metadata.name=${name}`, resourceVersion: '0' };
    const { events } = await this.transport.watch({
      method: 'GET',
      path,
      query: { ...query, watch: 'true' },
    });
    assert.ok(events !== undefined);
    for await (const batch of events) {
      for (const { type, object } of batch) {
        const state = type === 'DELETED' ? undefined : (object as Json);
        if (fits(state)) return state;
      }
    }
    throw new Error(`the watch of ${name} ended`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close();
  }
}

export function nameOf(object: Json): string {
  return (object['metadata'] as { name: string }).name;
}

export function conditionOf(object: Json | undefined, type: string): string | undefined {
  const status = object?.['status'] as { conditions?: { type: string; status: string }[] } | undefined;
  return status?.conditions?.find((condition) => condition.type === type)?.status;
}

export interface DefinitionOptions {
  readonly kind?: string;
  readonly schema: Schema;
  readonly version?: Partial<DefinitionVersion>;
  readonly spec?: Json;
  readonly names?: Json;
}

export function definition({ kind = 'Widget', schema, version, spec, names }: DefinitionOptions): Json {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { plural, kind, ...names },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
      ],
      ...spec,
    },
  };
}

export function pathOf(kind = 'Widget', version = 'v1'): string {
  return `/apis/${GROUP}/${version}/namespaces/default/${kind.toLowerCase()}s`;
}

export function object(name: string, fields: Json = {}, kind = 'Widget', version = 'v1'): Json {
  return { apiVersion: `${GROUP}/${version}`, kind, metadata: { name }, ...fields };
}

/** `field: message` of each cause, sorted. */
export function causesOf(body: unknown): string[] {
  const { details } = body as Status;
  return (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).toSorted();
}
