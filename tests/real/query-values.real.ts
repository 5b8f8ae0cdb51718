// Strange values of every parameter of every verb: our server answers as a real one does.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import * as fc from 'fast-check';
import { clusterApi } from './support/cluster-api.ts';
import { type Answer, JsonApi } from './support/json-api.ts';

const RUNS = 600;
const NAMESPACE = `query-values-${process.pid}`;
const LIST = `/api/v1/namespaces/${NAMESPACE}/secrets`;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body?: unknown;
}

const integer = fc.constantFrom(
  '-1', '-0', '0', '1', '2', '1e9', '1.5', '0x10', '', '%20', '+5', '%2B5', '007', '9223372036854775807',
  '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '9'.repeat(40), '1_000', '%D9%A1', '%00',
  'abc', 'null', 'true',
); // biome-ignore format: a table
const boolean = fc.constantFrom('', 'true', 'false', 'False', 'FALSE', '0', '1', '00', 'yes', 'no', '%00');
/** None that was: a server may have forgotten it. */
const version = fc.constantFrom(
  '', '0', '00', '-1', '+1', '1.5', '1e3', '0x1', '9223372036854775807', '18446744073709551615',
  '18446744073709551616', '%00', 'abc',
); // biome-ignore format: a table
const token = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url');
const continued = fc.oneof(
  fc.constantFrom('', 'x', 'xx', '%00', 'e30=', 'e30', token(null), token([]), token('x'), token(5)),
  fc
    .record({
      v: fc.constantFrom<unknown>('meta.k8s.io/v1', 'x', 5, null),
      rv: fc.constantFrom<unknown>(-1, -2, 0, 1.5, '1', null, 2 ** 40),
      start: fc.constantFrom<unknown>('a', 'b\u0000', '', '../a', 'a/../b', 'a//b', '/b', 'a/', '.', 5, null),
    })
    .map(token),
);
const text = fc.constantFrom(
  '', '%00', 'x', 'a%3Db', '!!!', 'a%3Db,', '%F0%9F%98%80', 'a'.repeat(3000), ',', '%3D', 'a%20in%20()', 'a%20in%20(b)',
  'metadata.name%3Da', 'metadata.name!%3Da', 'metadata.name%3Da%5C', 'metadata.namespace%3Dx', 'type%3DOpaque',
); // biome-ignore format: a table
const parameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  limit: integer,
  timeoutSeconds: integer,
  gracePeriodSeconds: integer,
  continue: continued,
  resourceVersion: version,
  resourceVersionMatch: fc.constantFrom('', 'Exact', 'NotOlderThan', 'exact', 'x'.repeat(300)),
  sendInitialEvents: boolean,
  allowWatchBookmarks: boolean,
  orphanDependents: boolean,
  force: boolean,
  pretty: boolean,
  export: boolean,
  labelSelector: text,
  fieldSelector: text,
  dryRun: fc.constantFrom('', 'All', 'all', 'None', '%00'),
  fieldManager: fc.constantFrom(
    '',
    'x',
    '%00',
    'a%0Ab',
    '%F0%9F%98%80',
    'm'.repeat(128),
    'm'.repeat(129),
    '%C2%A0',
  ),
  fieldValidation: fc.constantFrom('', 'Ignore', 'Warn', 'Strict', 'strict', 'x'.repeat(300)),
  propagationPolicy: fc.constantFrom('', 'Orphan', 'Background', 'Foreground', 'orphan', 'x'),
  uid: fc.constantFrom('', 'x'),
  timeout: fc.constantFrom('', '20s', 'abc', '-1s', '1', '1e9s', '99999999h', '%00'),
};
const given = fc
  .constantFrom(...Object.keys(parameters))
  .chain((name) => fc.tuple(fc.constant(name), parameters[name] ?? text))
  .map(([name, value]) => `${name}=${value}`);
/** Nothing is stored or deleted: a dry run comes first, and of a parameter that stands twice the first counts. */
const safely = (query: readonly string[]): string => ['dryRun=All', ...query].join('&');
const secret = { metadata: { name: 'new' } };
const options = fc.dictionary(
  fc.constantFrom('gracePeriodSeconds', 'orphanDependents', 'propagationPolicy', 'preconditions', 'dryRun', 'kind', 'other'),
  fc.constantFrom<unknown>(
    null, true, -1, 1.5, 1e300, '1', '', 'Orphan', 'DeleteOptions', 'Pod', [], ['x'], [1], [null], {}, { uid: 'x' },
    { uid: 5 }, { resourceVersion: 'x' }, 'All',
  ),
  { maxKeys: 1 },
); // biome-ignore format: a table
/** What a limit is worth, which chance seldom asks for. */
const LIMITS = [
  'limit=1',
  'limit=-1',
  'limit=1&resourceVersion=0',
  'limit=1&resourceVersion=00',
  'limit=9223372036854775807',
];
/** One is strange at a time: of several problems each server tells the one that it meets first. */
const queries = fc
  .tuple(fc.constantFrom('', '', 'limit=1', 'resourceVersion=0'), given)
  .map((pairs) => pairs.filter((pair) => pair !== ''));
const row: fc.Arbitrary<Row> = queries.chain((query) =>
  fc.oneof(
    fc.constant({ method: 'GET', path: LIST, query: query.join('&') }),
    fc.constant({ method: 'GET', path: `${LIST}/a`, query: query.join('&') }),
    fc.constant({ method: 'POST', path: LIST, query: safely(query), body: secret }),
    fc.constant({
      method: 'PUT',
      path: `${LIST}/a`,
      query: safely(query),
      body: { metadata: { name: 'a' } },
    }),
    fc.constant({ method: 'PATCH', path: `${LIST}/a`, query: safely(query), body: {} }),
    fc.constant({ method: 'DELETE', path: `${LIST}/a`, query: safely(query) }),
    fc.constant({ method: 'DELETE', path: LIST, query: safely(query) }),
    // What is not there cannot be deleted, whatever the options come to.
    options.map((body) => ({ method: 'DELETE', path: `${LIST}/none`, query: '', body })),
  ),
);

let real: JsonApi;
let ours: JsonApi;
let cluster: RunningCluster;
before(async () => {
  cluster = await startCluster({ port: 0 });
  real = await JsonApi.open();
  ours = clusterApi(cluster);
  for (const api of [real, ours]) {
    await api.must(api.post('/api/v1/namespaces', { metadata: { name: NAMESPACE } }));
    for (const name of ['a', 'b', 'c']) await api.must(api.post(LIST, { metadata: { name } }));
  }
});
after(async () => {
  real[Symbol.dispose]();
  ours[Symbol.dispose]();
  await cluster.stop();
});

/** The status, and what is said: without what is each server's own, and without Go's own names of types. */
function outcome({ status, body }: Answer): string {
  const { message, items, metadata } = body as {
    readonly message?: string;
    readonly items?: readonly unknown[];
    readonly metadata?: { readonly continue?: string };
  };
  if (items !== undefined)
    return `${status} ${items.length} items${(metadata?.continue ?? '') === '' ? '' : ' and more'}`;
  const told = (message ?? '')
    .replace(/current: \d+|in record \([^)]*\)|\d{16,}/g, '...')
    .replace(/ in scheme ".*?"$/, '')
    // Where JSON ceases to be JSON is told in the words of each parser.
    .replace(
      /(key is not valid: )(?:invalid character.*|unexpected end.*|the token is no JSON)$/,
      '$1no JSON',
    )
    .replace(/of type (?:v1\.DeletionPropagation|types\.UID)$/, 'of type string')
    .replace(/\\u00([0-9a-f]{2})/g, '\\x$1');
  return `${status} ${told}`;
}

/** The real server fails by itself, where ours refuses the request. */
function isItsFailure(theirs: Answer, own: Answer): boolean {
  return theirs.status === 500 && own.status === 400;
}

describe('strange values of parameters', () => {
  it('are answered as a real server answers them', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(row, async ({ method, path, query, body }) => {
        const call = {
          ...(body !== undefined && { body }),
          ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
        };
        const url = query === '' ? path : `${path}?${query}`;
        const [theirs, own] = await Promise.all([real.call(method, url, call), ours.call(method, url, call)]);
        if (isItsFailure(theirs, own)) return;
        assert.equal(outcome(own), outcome(theirs), `${method} ${url} ${JSON.stringify(body)}`);
      }),
      { numRuns: RUNS, examples: LIMITS.map((query) => [{ method: 'GET', path: LIST, query }]) },
    );
  });

  it('begin a watch, or prevent it, as they do with a real server', { timeout: 600_000 }, async () => {
    const names = [
      'sendInitialEvents',
      'resourceVersion',
      'resourceVersionMatch',
      'continue',
      'limit',
      'timeoutSeconds',
    ];
    const query = fc
      .array(
        fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), parameters[name] ?? text)),
        {
          maxLength: 3,
        },
      )
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`))
      // Nobody waits for half an hour, and what 64 bits of nanoseconds cannot hold is anybody's guess.
      .filter(
        (pairs) => !pairs.some((pair) => /^timeoutSeconds=(?:-?0*|-?\d{9,}|\d\d+|%2B5|007|2)$/.test(pair)),
      )
      // A version of the far future is waited for in other ways.
      .filter((pairs) => !pairs.some((pair) => /^resourceVersion=\d{9,}$/.test(pair)));
    await fc.assert(
      fc.asyncProperty(boolean, query, async (watch, pairs) => {
        const url = `${LIST}?${['watch=' + watch, ...pairs, 'timeoutSeconds=1'].join('&')}`;
        const [theirs, own] = await Promise.all([real.get(url), ours.get(url)]);
        if (isItsFailure(theirs, own)) return;
        assert.equal(outcome(own), outcome(theirs), url);
        const typesOf = ({ body }: Answer): unknown =>
          (body['events'] as { type: string }[] | undefined)?.map(({ type }) => type);
        assert.deepEqual(typesOf(own), typesOf(theirs), url);
      }),
      { numRuns: 60 },
    );
  });
});
