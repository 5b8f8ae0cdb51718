// A write that changes nothing is none: the object keeps its version and its owners their times, though the
// clock went on. The histories are those in which what is sent differs from what is stored, until the server
// has put it into its form.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiRequest, KubeObject, ManagedFieldsEntry, Schema } from '@windlass/apimachinery';
import { FakeClock } from '@windlass/base';
import { CustomApi, definition, object, pathOf } from '../custom/testing/custom-api.ts';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};

type Answer = KubeObject & { readonly [field: string]: unknown };

const clock = new FakeClock({ start: Date.parse('2030-01-01T00:00:00Z') });
const api = new CustomApi(clock);
before(() => api.define(definition({ schema: SCHEMA, version: { subresources: { status: {} } } })));
after(() => api[Symbol.asyncDispose]());

const TYPES = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  put: 'application/json',
} as const;

interface Write {
  readonly by: string;
  readonly as: keyof typeof TYPES;
  readonly body: object;
  readonly subresource?: string;
}

async function send(method: ApiRequest['method'], path: string, body?: unknown, more?: Partial<ApiRequest>) {
  const answer = await api.transport.request({ method, path, ...(body !== undefined && { body }), ...more });
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Answer;
}

/** A day passes before each write. */
async function write(path: string, { by, as, body, subresource }: Write): Promise<Answer> {
  await clock.advance(86_400_000);
  const headers = { 'content-type': TYPES[as] };
  const at = subresource === undefined ? path : `${path}/${subresource}`;
  const sent = as === 'put' ? await replacement(path, body) : body;
  return send(as === 'put' ? 'PUT' : 'PATCH', at, sent, { headers, query: { fieldManager: by } });
}

/** What is stored, with the fields of `body` in place of its own. */
async function replacement(path: string, body: { metadata?: object }): Promise<object> {
  const live = await send('GET', path);
  return { ...live, ...body, metadata: { ...live.metadata, ...body.metadata } };
}

const timesOf = ({ metadata }: Answer): (string | undefined)[][] =>
  (metadata?.managedFields ?? []).map(({ manager, time }: ManagedFieldsEntry) => [manager, time]);

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const configMap = (body: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', ...body });
const deployment = (container: object = {}, more: object = {}): object => {
  const labels = { app: 'a' };
  const containers = [{ name: 'c', image: 'i', ...container }];
  const template = { metadata: { labels }, spec: { containers } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
    ...more,
  };
};

const widget = (fields: Record<string, unknown>): object => ({ ...object('any'), metadata: {}, ...fields });

interface Row {
  readonly what: string;
  readonly collection: string;
  readonly object: object;
  /** The last one changes nothing. */
  readonly writes: readonly Write[];
}

const twice = (write: Write): Write[] => [write, write];

const rows: readonly Row[] = [
  {
    what: 'an apply of an empty list by one who never changed anything',
    collection: configMaps,
    object: configMap({ immutable: false }),
    writes: [
      { by: 'two', as: 'apply', body: configMap({ immutable: false }) },
      { by: 'two', as: 'apply', body: configMap({ metadata: { finalizers: [] }, immutable: false }) },
    ],
  },
  {
    what: 'an apply of a quantity that is stored in another form',
    collection: deployments,
    object: deployment(),
    writes: twice({
      by: 'two',
      as: 'apply',
      body: deployment({ resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }),
    }),
  },
  {
    what: 'an apply of a field that is stored as none',
    collection: deployments,
    object: deployment(),
    writes: twice({ by: 'two', as: 'apply', body: deployment({ env: [{ name: 'A', value: '' }] }) }),
  },
  {
    what: 'an apply of a status through the object itself',
    collection: deployments,
    object: deployment(),
    writes: twice({ by: 'two', as: 'apply', body: deployment({}, { status: { replicas: 3 } }) }),
  },
  {
    what: 'an update of nothing but times',
    collection: configMaps,
    object: configMap({ data: { a: 'b' } }),
    writes: [
      {
        by: 'two',
        as: 'put',
        body: {
          metadata: {
            managedFields: [
              {
                manager: 'one',
                operation: 'Update',
                apiVersion: 'v1',
                time: '2001-02-03T04:05:06Z',
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
              },
            ],
          },
        },
      },
    ],
  },
  {
    what: 'a merge patch of empty lists and maps',
    collection: configMaps,
    object: configMap({ data: { a: 'b' } }),
    writes: [{ by: 'two', as: 'merge', body: { metadata: { finalizers: [], labels: {} }, binaryData: {} } }],
  },
  {
    what: 'a strategic merge patch of a quantity that is stored in another form',
    collection: deployments,
    object: deployment({ resources: { limits: { cpu: '1' } } }),
    writes: [{ by: 'two', as: 'strategic', body: deployment({ resources: { limits: { cpu: '1000m' } } }) }],
  },
  {
    what: 'an update of the status that is there',
    collection: deployments,
    object: deployment(),
    writes: twice({
      by: 'two',
      as: 'put',
      subresource: 'status',
      body: { metadata: { labels: {} }, status: { replicas: 1, conditions: [] } },
    }),
  },
  {
    what: 'a scale to what it is',
    collection: deployments,
    object: deployment(),
    writes: twice({ by: 'two', as: 'merge', subresource: 'scale', body: { spec: { replicas: 3 } } }),
  },
  {
    what: 'an apply of empty metadata to a custom resource',
    collection: pathOf(),
    object: widget({ spec: { size: 2 } }),
    writes: twice({
      by: 'two',
      as: 'apply',
      body: widget({ metadata: { finalizers: [], labels: {} }, spec: { size: 2 } }),
    }),
  },
  {
    what: 'an update of the status of a custom resource through the resource itself',
    collection: pathOf(),
    object: widget({ spec: { size: 2 } }),
    writes: [{ by: 'two', as: 'put', body: { metadata: { annotations: {} }, status: { ready: true } } }],
  },
  {
    what: 'an apply of the spec of a custom resource through its status',
    collection: pathOf(),
    object: widget({ spec: { size: 2 } }),
    writes: twice({
      by: 'two',
      as: 'apply',
      subresource: 'status',
      body: widget({ spec: { size: 3 }, status: { ready: true } }),
    }),
  },
];

async function holds(path: string, { writes }: Row): Promise<void> {
  for (const before of writes.slice(0, -1)) await write(path, before);
  const live = await send('GET', path);
  const last = writes.at(-1);
  assert.ok(last);
  await write(path, last);
  const after = await send('GET', path);
  assert.deepEqual(timesOf(after), timesOf(live));
  assert.deepEqual(after, live);
}

describe('a write that changes nothing keeps the version and all times', () => {
  for (const [index, row] of rows.entries())
    it(row.what, async () => {
      const metadata = { name: `unchanged-${index}` };
      await send('POST', row.collection, { ...row.object, metadata }, { query: { fieldManager: 'one' } });
      await holds(`${row.collection}/${metadata.name}`, row);
    });
});
