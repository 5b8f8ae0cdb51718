import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { ApiRequest, ApiResponse } from '@windlass/apimachinery';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

/** An object as a client writes it, right or wrong. */
export type Json = { readonly [field: string]: unknown };

interface Refusal {
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

/** Where objects of a namespace are: `pods`, `apps/v1/deployments`. */
export function inDefault(resource: string): string {
  const at = resource.lastIndexOf('/');
  const plural = resource.slice(at + 1);
  const prefix = at < 0 ? '/api/v1' : `/apis/${resource.slice(0, at)}`;
  return `${prefix}/namespaces/default/${plural}`;
}

/**
 * A server with the built-in kinds and nothing else, to see what one of them makes of a request. It ends with the
 * test file. Paths are those of collections; the objects get names of their own.
 */
export class KindApi {
  readonly #server = new ApiServer({ store: createMemoryStore() });
  #count = 0;

  constructor() {
    after(() => this.#server.close());
  }

  request(method: ApiRequest['method'], path: string, more: Partial<ApiRequest> = {}): Promise<ApiResponse> {
    return this.#server.transport().request({ method, path, ...more });
  }

  /** `field: message` of all that is wrong with a new object. */
  async refusals(path: string, object: Json): Promise<string[]> {
    return causesOf(await this.#try('POST', path, { metadata: { name: 'x' }, ...object }));
  }

  /** A new object with its defaults. It is not kept. */
  async defaulted<T>(path: string, object: Json): Promise<T> {
    const answer = await this.#try('POST', path, { metadata: { name: 'x' }, ...object });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    // The server has just made it of the kind at that path.
    return answer.body as T;
  }

  /** Creates an object and answers its path. */
  async create(path: string, object: Json): Promise<string> {
    const name = `x${this.#count++}`;
    const { metadata, ...rest } = object;
    const body = { metadata: { name, ...(metadata as object | undefined) }, ...rest };
    const answer = await this.request('POST', path, { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return `${path}/${name}`;
  }

  /** `field: message` of all that is wrong with a change, a merge patch, of the object at `path`. It is not kept. */
  async changeRefusals(path: string, change: Json): Promise<string[]> {
    return causesOf(await this.#try('PATCH', path, change));
  }

  /** Changes the object at `path` by a merge patch. */
  async change(path: string, change: Json): Promise<void> {
    const answer = await this.request('PATCH', path, { body: change, headers: MERGE });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  #try(method: 'POST' | 'PATCH', path: string, body: Json): Promise<ApiResponse> {
    const headers = method === 'PATCH' ? MERGE : {};
    return this.request(method, path, { body, headers, query: { dryRun: 'All' } });
  }
}

const MERGE = { 'content-type': 'application/merge-patch+json' };

function causesOf({ status, body }: ApiResponse): string[] {
  const causes = (body as Refusal).details?.causes ?? [];
  // What is refused for another reason has a message and no causes.
  if (causes.length === 0) assert.ok(status < 300, JSON.stringify(body));
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

/** The rule, what breaks it or keeps it, and all that is then wrong. */
export type RefusalRow = readonly [rule: string, object: Json, refusals: readonly string[]];

/** One test for each row. `object` makes of a row's fields what is sent to `path`. */
export function testRefusals(
  api: KindApi,
  path: string,
  object: (fields: Json) => Json,
  rows: readonly RefusalRow[],
): void {
  for (const [rule, fields, refusals] of rows)
    void it(rule, async () => {
      assert.deepEqual((await api.refusals(path, object(fields))).toSorted(), refusals.toSorted());
    });
}
