// Strange values of every parameter. What is expected was learnt from a real API server; the real lane asks one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, Transport } from '@windlass/apimachinery';
import { type Logger, silentLogger } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const LIST = '/api/v1/namespaces/strange/configmaps';
const ONE = `${LIST}/a`;

const errors: unknown[] = [];
const logger: Logger = {
  ...silentLogger,
  error: (...told: unknown[]) => void errors.push(told),
  with: () => logger,
};

let server: ApiServer;
let transport: Transport;
before(async () => {
  server = new ApiServer({ store: createMemoryStore(), logger });
  await server.ready();
  transport = server.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  await transport.request({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'strange' } },
  });
  for (const name of ['a', 'b', 'c'])
    await transport.request({ method: 'POST', path: LIST, body: { metadata: { name } } });
});
after(() => server.close());

type Query = Readonly<Record<string, string | readonly string[]>>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function send(method: Method, path: string, query: Query, body?: unknown): Promise<ApiResponse> {
  const headers = {
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  };
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const call = { method, path, query, headers, ...(bytes !== undefined && { body: bytes }) };
  if (query['watch'] === undefined) return transport.request(call);
  const { status, headers: given, body: failure, events } = await transport.watch(call);
  const told = events === undefined ? [] : (await Array.fromAsync(events)).flat();
  return { status, headers: given, body: events === undefined ? failure : { events: told } };
}

/** What can be told of an answer in a row. */
function summary({ status, body }: ApiResponse): string {
  const { message, items, events } = body as {
    readonly message?: string;
    readonly items?: readonly unknown[];
    readonly events?: readonly { readonly type: string }[];
  };
  if (status >= 400) return `${status} ${message}`;
  if (items !== undefined) return `${status} ${items.length} items`;
  return events === undefined ? String(status) : `${status} ${events.map(({ type }) => type).join(' ')}`;
}

const syntax = (text: string): string => `400 strconv.ParseInt: parsing ${text}: invalid syntax`;
const range = (text: string): string => `400 strconv.ParseInt: parsing "${text}": value out of range`;
const badVersion = (text: string, problem: string): string =>
  `400 invalid resource version: resourceVersion: Invalid value: ${text}: strconv.ParseUint: parsing ${text}: ${problem}`;
const badToken = (problem: string): string =>
  `400 invalid continue token: continue key is not valid: ${problem}`;
const token = (fields: object): string => Buffer.from(JSON.stringify(fields)).toString('base64url');
const badList = (...problems: readonly string[]): string =>
  `422 ListOptions.meta.k8s.io "" is invalid: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`;
const MATCH = 'resourceVersionMatch';
const FORBIDDEN = `${MATCH}: Forbidden:`;

const INTEGERS: readonly (readonly [string, string | undefined])[] = [
  ['-1', undefined],
  ['-0', undefined],
  ['+5', undefined],
  ['005', undefined],
  ['9223372036854775807', undefined],
  ['-9223372036854775808', undefined],
  ['9223372036854775808', range('9223372036854775808')],
  ['-9223372036854775809', range('-9223372036854775809')],
  ['1'.repeat(5000), range('1'.repeat(5000))],
  ['', syntax('""')],
  [' ', syntax('" "')],
  ['1e9', syntax('"1e9"')],
  ['1.5', syntax('"1.5"')],
  ['0x10', syntax('"0x10"')],
  ['1_000', syntax('"1_000"')],
  ['\u0661', syntax('"\u0661"')],
  ['\u0000', syntax('"\\x00"')],
  ['null', syntax('"null"')],
];

interface Row {
  readonly method?: Method;
  readonly path?: string;
  readonly query: Query;
  readonly body?: unknown;
  readonly expected: string;
}

const rows: readonly Row[] = [
  ...INTEGERS.flatMap(([value, problem]) => [
    { query: { limit: value }, expected: problem ?? '200 3 items' },
    { query: { timeoutSeconds: value }, expected: problem ?? '200 3 items' },
    {
      method: 'DELETE' as const,
      path: ONE,
      query: { dryRun: 'All', gracePeriodSeconds: value },
      expected: problem ?? '200',
    },
  ]),
  { query: { limit: ['1', 'abc'] }, expected: '200 1 items' },
  { query: { limit: '1', resourceVersion: '0' }, expected: '200 3 items' },
  { query: { resourceVersion: '-1' }, expected: badVersion('"-1"', 'invalid syntax') },
  { query: { resourceVersion: '\u0000' }, expected: badVersion('"\\x00"', 'invalid syntax') },
  {
    query: { resourceVersion: '1'.repeat(21) },
    expected: badVersion(`"${'1'.repeat(21)}"`, 'value out of range'),
  },
  { query: { continue: 'x' }, expected: badToken('illegal base64 data at input byte 0') },
  { query: { continue: 'e30=' }, expected: badToken('illegal base64 data at input byte 3') },
  { query: { continue: token({}) }, expected: badToken('server does not recognize this encoded version ') },
  { query: { continue: 'bnVsbA' }, expected: badToken('server does not recognize this encoded version ') },
  {
    query: { continue: token([]) },
    expected: badToken('json: cannot unmarshal array into Go value of type storage.continueToken'),
  },
  {
    query: { continue: token({ v: 'meta.k8s.io/v1', rv: 1.5, start: 'a' }) },
    expected: badToken(
      'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ),
  },
  ...['../a', 'a/../b', 'a//b', 'a/', './a', '/../a'].map((start) => ({
    query: { continue: token({ v: 'meta.k8s.io/v1', rv: 1, start }) },
    expected: badToken(start),
  })),
  { query: { continue: token({ v: 'meta.k8s.io/v1', rv: -1, start: 'b' }) }, expected: '200 2 items' },
  {
    query: { continue: token({ v: 'meta.k8s.io/v1', rv: -1, start: 'b' }), resourceVersion: '1' },
    expected: '400 specifying resource version is not allowed when using continue',
  },
  {
    query: { sendInitialEvents: '' },
    expected: badList('sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'),
  },
  {
    query: { timeout: 'abc' },
    expected: '400 invalid timeout specified in the request URL - time: invalid duration "abc"',
  },
  {
    path: ONE,
    query: { export: '' },
    expected: '400 the export parameter, deprecated since v1.14, is no longer supported',
  },
  { path: ONE, query: { export: 'False' }, expected: '200' },
  // Watches.
  { query: { watch: '', timeoutSeconds: '-1' }, expected: '200 ' },
  { query: { watch: 'yes', timeoutSeconds: '-1' }, expected: '200 ' },
  { query: { watch: ['1', 'false'], timeoutSeconds: '' }, expected: syntax('""') },
  {
    query: { watch: '1', timeoutSeconds: '-1', continue: 'x' },
    expected: badList(`${FORBIDDEN} resourceVersionMatch is forbidden when continue is provided`),
  },
  {
    query: { watch: '1', timeoutSeconds: '-1', sendInitialEvents: '' },
    expected: badList(`${FORBIDDEN} sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`),
  },
  {
    query: { watch: '1', timeoutSeconds: '-1', [MATCH]: 'Exact' },
    expected: badList(
      `${FORBIDDEN} resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
      `${MATCH}: Unsupported value: "Exact": supported values: "NotOlderThan"`,
    ),
  },
  {
    query: { watch: '1', timeoutSeconds: '-1', [MATCH]: 'Exact', sendInitialEvents: '1' },
    expected: badList(
      `${FORBIDDEN} sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
      `${MATCH}: Unsupported value: "Exact": supported values: "NotOlderThan"`,
    ),
  },
  // Writes.
  ...['', 'all', 'None', '\u0000'].map((dryRun) => ({
    method: 'POST' as const,
    query: { dryRun },
    body: { metadata: { name: 'new' } },
    expected: `422 CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ${JSON.stringify([dryRun])}: supported values: "All"`,
  })),
  {
    method: 'PATCH',
    path: ONE,
    query: { dryRun: 'All', force: '' },
    body: {},
    expected:
      '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  },
  // Deletions by query.
  ...(['DELETE'] as const).flatMap((method): Row[] => [
    {
      method,
      path: ONE,
      query: { propagationPolicy: '' },
      expected:
        '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    },
    {
      method,
      path: ONE,
      query: { dryRun: 'x' },
      expected:
        '422 DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
    },
    { method, query: { dryRun: 'All', limit: '1' }, expected: '200 1 items' },
    { method, query: { dryRun: 'All', limit: 'abc' }, expected: syntax('"abc"') },
    {
      method,
      query: { dryRun: 'All', continue: 'x' },
      expected: badToken('illegal base64 data at input byte 0'),
    },
  ]),
];

const unreadable = (found: string, field: string, type: string): string =>
  `400 json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`;
const noObject = (found: string): string =>
  `400 couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;

const bodies: readonly (readonly [unknown, string])[] = [
  [{ gracePeriodSeconds: '1' }, unreadable('string', 'DeleteOptions.gracePeriodSeconds', 'int64')],
  [{ gracePeriodSeconds: 1.5 }, unreadable('number 1.5', 'DeleteOptions.gracePeriodSeconds', 'int64')],
  [{ gracePeriodSeconds: 1e300 }, unreadable('number 1e+300', 'DeleteOptions.gracePeriodSeconds', 'int64')],
  [{ orphanDependents: 1 }, unreadable('number', 'DeleteOptions.orphanDependents', 'bool')],
  [{ orphanDependents: 'true' }, unreadable('string', 'DeleteOptions.orphanDependents', 'bool')],
  [{ dryRun: 'All' }, unreadable('string', 'DeleteOptions.dryRun', '[]string')],
  [{ dryRun: [1] }, unreadable('number', 'DeleteOptions.dryRun', 'string')],
  [
    { dryRun: [null] },
    '422 DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
  ],
  [{ preconditions: 'x' }, unreadable('string', 'DeleteOptions.preconditions', 'v1.Preconditions')],
  [
    { preconditions: { resourceVersion: 5 } },
    unreadable('number', 'Preconditions.preconditions.resourceVersion', 'string'),
  ],
  [{ kind: 'Pod' }, '400 no kind "Pod" is registered for version "meta.k8s.io/v1"'],
  [
    { kind: 5 },
    "400 couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
  ],
  [[], noObject('array')],
  [5, noObject('number')],
  ['x', noObject('string')],
  [true, noObject('bool')],
  [
    { dryRun: ['All'], propagationPolicy: null, gracePeriodSeconds: null, preconditions: null, unknown: 1 },
    '200',
  ],
];

describe('strange values', () => {
  for (const { method = 'GET', path = LIST, query, body, expected } of rows) {
    it(`${method} ${path} ${JSON.stringify(query)}`.slice(0, 120), async () => {
      assert.equal(summary(await send(method, path, query, body)), expected);
    });
  }

  for (const [body, expected] of bodies)
    it(`DELETE with ${JSON.stringify(body)}`, async () => {
      assert.equal(summary(await send('DELETE', ONE, {}, body)), expected);
      // An option that cannot be read must not be taken for none.
      assert.equal((await send('GET', ONE, {})).status, 200);
    });

  it('a deletion in a query has preconditions too', async () => {
    for (const query of [{ uid: 'wrong' }, { resourceVersion: '1' }] as const) {
      const { status, body } = await send('DELETE', ONE, query);
      assert.equal(status, 409, JSON.stringify(body));
    }
  });

  it('a version of 64 bits is too large, and no mistake', async () => {
    const rv = Number.MAX_SAFE_INTEGER;
    const { status, body } = await send('GET', LIST, {
      continue: token({ v: 'meta.k8s.io/v1', rv, start: 'a' }),
    });
    assert.equal(status, 504);
    assert.match(
      (body as { message: string }).message,
      /Too large resource version: 9007199254740991, current: \d+$/,
    );
  });

  it('no value of any parameter is an error of the server', async () => {
    const names = [
      'limit', 'continue', 'resourceVersionMatch', 'timeoutSeconds', 'allowWatchBookmarks', 'sendInitialEvents',
      'fieldSelector', 'labelSelector', 'gracePeriodSeconds', 'propagationPolicy', 'orphanDependents', 'dryRun',
      'fieldManager', 'fieldValidation', 'force', 'pretty', 'includeObject', 'uid', 'timeout', 'shardSelector',
    ]; // biome-ignore format: a list
    const values = [
      '', '-1', '1e9', '1.5', '0x10', '9'.repeat(30), '\u0000', '\ufffd', '\ud800', 'x'.repeat(20_000), '%', '__proto__',
      'a=b', 'a in (', '{}', '[]', 'null', 'true', '😀',
    ]; // biome-ignore format: a list
    const targets: readonly (readonly [Method, string, unknown])[] = [
      ['GET', LIST, undefined],
      ['GET', ONE, undefined],
      ['POST', LIST, { metadata: { generateName: 'new-' } }],
      ['PUT', ONE, { metadata: { name: 'a' } }],
      ['PATCH', ONE, {}],
      ['DELETE', `${LIST}/none`, undefined],
      ['DELETE', LIST, undefined],
    ];
    for (const name of names)
      for (const value of values)
        for (const [method, path, body] of targets) {
          // Nothing is to be gone or to come, unless it is the dry run itself that is strange.
          const query =
            method === 'GET' || name === 'dryRun' ? { [name]: value } : { dryRun: 'All', [name]: value };
          if (name === 'dryRun' && method === 'DELETE' && path === LIST) continue;
          const { status, body: answer } = await send(method, path, query, body);
          const told = `${method} ${path} ${name}=${value.slice(0, 40)}: ${JSON.stringify(answer)}`;
          assert.ok(status < 500, told.slice(0, 500));
        }
    assert.deepEqual(errors, []);
  });
});
