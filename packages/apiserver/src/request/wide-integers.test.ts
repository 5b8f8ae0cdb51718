// Every int64 that passes through the server, by the way that it takes. JavaScript's numbers have 53 bits.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ApiRequest, Schema, Transport } from '@windlass/apimachinery';
import { wideJson } from '@windlass/apimachinery';
import { realClock, silentLogger, systemRandom } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { definition, pathOf } from '../custom/testing/custom-api.ts';
import { createMemoryStore, openSqliteStore } from '../storage/index.ts';

const WIDE = '3546343826724305832';
const NEXT = '3546343826724305833';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', format: 'int64', minimum: 0, maximum: 9e18 },
        even: { type: 'integer', multipleOf: 2 },
        small: { type: 'integer', format: 'int32' },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        rule: {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: `self == ${WIDE}`, message: 'another one' }],
        },
        set: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
      },
    },
  },
};

/** As a client over HTTP: texts there and back. */
async function send(
  transport: Transport,
  method: ApiRequest['method'],
  path: string,
  body?: string,
  more: Partial<ApiRequest> = {},
): Promise<{ status: number; text: string }> {
  const answer = await transport.request({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: Buffer.from(body) }),
    ...more,
  });
  return { status: answer.status, text: wideJson(answer.body) };
}

const widget = (name: string, spec: string): string =>
  `{"apiVersion":"test.windlass.dev/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`;
const define = (transport: Transport): Promise<unknown> =>
  send(
    transport,
    'POST',
    DEFINITIONS,
    JSON.stringify(
      definition({
        schema: SCHEMA,
        version: {
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          selectableFields: [{ jsonPath: '.spec.size' }],
        },
      }),
    ),
  );

async function established(transport: Transport): Promise<void> {
  for await (const events of (
    await transport.watch({
      method: 'GET',
      path: DEFINITIONS,
      query: { watch: 'true', resourceVersion: '0' },
    })
  ).events ?? [])
    if (events.some(({ object }) => JSON.stringify(object).includes('"Established","status":"True"'))) return;
}

describe('an int64 of a custom resource', () => {
  let server: ApiServer;
  let transport: Transport;
  before(async () => {
    server = new ApiServer({ store: createMemoryStore() });
    transport = server.transport();
    await define(transport);
    await established(transport);
  });
  after(() => server.close());

  const one = `${pathOf()}/a`;
  const spec = `{"size":${WIDE},"any":{"deep":[-${WIDE},${NEXT}]},"even":${WIDE},"rule":${WIDE},"set":[${WIDE},${NEXT}]}`;

  it('stays, digit by digit, when it is created, read, listed, watched and shown', async () => {
    const made = await send(transport, 'POST', pathOf(), widget('a', spec));
    assert.equal(made.status, 201, made.text);
    for (const text of [
      made.text,
      (await send(transport, 'GET', one)).text,
      (await send(transport, 'GET', pathOf())).text,
    ])
      for (const part of [`"size":${WIDE}`, `"deep":[-${WIDE},${NEXT}]`, `"set":[${WIDE},${NEXT}]`])
        assert.ok(text.includes(part), `${part} in ${text}`);
    const found = await send(transport, 'GET', pathOf(), undefined, {
      query: { fieldSelector: `spec.size=${WIDE}` },
    });
    assert.ok(found.text.includes('"name":"a"'), found.text);
    const none = await send(transport, 'GET', pathOf(), undefined, {
      query: { fieldSelector: `spec.size=${NEXT}` },
    });
    assert.ok(none.text.includes('"items":[]'), none.text);
  });

  for (const [type, body] of [
    ['application/merge-patch+json', `{"spec":{"size":${NEXT}}}`],
    [
      'application/json-patch+json',
      `[{"op":"test","path":"/spec/size","value":${NEXT}},{"op":"replace","path":"/spec/size","value":${WIDE}}]`,
    ],
    ['application/apply-patch+yaml', widget('a', `{"size":${WIDE}}`)],
  ] as const)
    it(`stays in ${type}`, async () => {
      const query = { fieldManager: 'me', ...(type.includes('apply') && { force: 'true' }) };
      const headers = { 'content-type': type };
      const { status, text } = await send(transport, 'PATCH', one, body, { headers, query });
      assert.equal(status, 200, text);
      assert.ok(text.includes(`"size":${type.includes('merge') ? NEXT : WIDE}`), text);
    });

  const rows: [spec: string, problem: string][] = [
    [`{"size":9223372036854775807}`, 'should be less than or equal to'],
    [`{"size":-${WIDE}}`, 'should be greater than or equal to 0'],
    [`{"even":${NEXT}}`, 'should be a multiple of 2'],
    [`{"small":${WIDE}}`, 'must be of type integer with format int32'],
    [`{"rule":${NEXT}}`, 'another one'],
    [`{"set":[${WIDE},${WIDE}]}`, `Duplicate value: ${WIDE}`],
    [`{"size":"${WIDE}"}`, 'must be of type integer'],
  ];
  for (const [wrong, problem] of rows)
    it(`is checked: ${wrong}`, async () => {
      const { status, text } = await send(transport, 'POST', pathOf(), widget('wrong', wrong));
      assert.equal(status, 422, text);
      assert.ok(text.includes(problem), text);
    });
});

describe('an int64 in the store', () => {
  it('is the same after a restart', async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-wide-'));
    context.after(() => rmSync(directory, { recursive: true }));
    const open = () =>
      openSqliteStore(directory, { clock: realClock, logger: silentLogger, random: systemRandom });
    for (const isFirst of [true, false]) {
      await using server = new ApiServer({ store: await open() });
      const transport = server.transport();
      if (isFirst) {
        await define(transport);
        await established(transport);
        assert.equal((await send(transport, 'POST', pathOf(), widget('a', `{"size":${WIDE}}`))).status, 201);
      }
      const { text } = await send(transport, 'GET', `${pathOf()}/a`);
      assert.ok(text.includes(`"size":${WIDE}`), text);
    }
  });
});

describe('an int64 of a built-in kind', () => {
  it('is the nearest number that a client in Go can read, and a number for whoever works with it', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    const path = '/api/v1/namespaces/default/pods';
    const pod = (seconds: string): string =>
      `{"metadata":{"name":"p${seconds.length}"},"spec":{"containers":[{"name":"a","image":"x"}],"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":${seconds}}]}}`;
    for (const [sent, shown] of [
      ['300', '300'],
      ['9223372036854775807', '9223372036854775000'],
    ] as const) {
      const { status, text } = await send(server.transport(), 'POST', path, pod(sent));
      assert.equal(status, 201, text);
      assert.ok(text.includes(`"tolerationSeconds":${shown}`), text);
    }
  });
});
