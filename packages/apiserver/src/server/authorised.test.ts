// Whatever a caller is authorised for is exactly what is served and changed: over all verbs, paths, names,
// subresources and selectors.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { nextTurn } from '@windlass/base';
import * as fc from 'fast-check';
import type { UserInfo } from '../access/user.ts';
import { GROUP } from '../custom/testing/custom-api.ts';
import { GUARDED, type Guarded, GuardedApi, NAMES, NAMESPACES } from './testing/guarded-api.ts';

interface Caller {
  readonly user: UserInfo;
  /** Where the rules hold; empty for the whole cluster. */
  readonly namespace: string;
  readonly rules: readonly object[];
  /** A verb and `group|resource|namespace|name|subresource` that the rules allow. */
  readonly probe: string;
  /** What may be in an answer. */
  readonly sees: (guarded: Guarded) => boolean;
  /** What may change. */
  readonly changes: (guarded: Guarded) => boolean;
}

const named = (name: string): UserInfo => ({ name, groups: ['system:authenticated'] });
const never = (): boolean => false;
const is =
  (resource: string, namespace: string, name: string) =>
  (guarded: Guarded): boolean =>
    guarded.resource === resource &&
    (namespace === '' || guarded.namespace === namespace) &&
    (name === '' || guarded.name === name);

const CALLERS: readonly Caller[] = [
  {
    user: named('one-secret'),
    namespace: 'alpha',
    rules: [
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['x'], verbs: ['get', 'list', 'watch'] },
    ],
    probe: 'get |secrets|alpha|x',
    sees: is('secrets', 'alpha', 'x'),
    changes: never,
  },
  {
    user: named('one-name-everywhere'),
    namespace: '',
    rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['x'], verbs: ['list', 'watch'] }],
    probe: 'list |secrets||x',
    sees: is('secrets', '', 'x'),
    changes: never,
  },
  {
    user: named('one-writer'),
    namespace: 'alpha',
    rules: [
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['x'],
        verbs: ['update', 'patch', 'delete', 'deletecollection', 'create'],
      },
    ],
    probe: 'update |secrets|alpha|x',
    sees: is('secrets', 'alpha', 'x'),
    changes: is('secrets', 'alpha', 'x'),
  },
  {
    user: named('one-namespace'),
    namespace: 'alpha',
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
    probe: 'list |configmaps|alpha|',
    sees: is('configmaps', 'alpha', ''),
    changes: is('configmaps', 'alpha', ''),
  },
  {
    user: named('one-widget'),
    namespace: 'beta',
    rules: [{ apiGroups: [GROUP], resources: ['widgets'], resourceNames: ['y'], verbs: ['*'] }],
    probe: `get ${GROUP}|widgets|beta|y`,
    sees: is('widgets', 'beta', 'y'),
    changes: is('widgets', 'beta', 'y'),
  },
  {
    user: named('one-status'),
    namespace: 'beta',
    rules: [
      {
        apiGroups: [GROUP],
        resources: ['widgets/status', 'widgets/scale'],
        resourceNames: ['y'],
        verbs: ['*'],
      },
    ],
    probe: `get ${GROUP}|widgets|beta|y|status`,
    sees: is('widgets', 'beta', 'y'),
    changes: is('widgets', 'beta', 'y'),
  },
  {
    user: { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    namespace: '',
    rules: [],
    probe: '',
    sees: is('secrets', 'alpha', 'x'),
    changes: never,
  },
  { user: named('nobody'), namespace: '', rules: [], probe: '', sees: never, changes: never },
];

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const pick = (parts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...parts);

/** Mostly what people send, sometimes what they do not. */
const mostly = (usual: fc.Arbitrary<string>, ...odd: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const namespaceParts = mostly(
  pick(NAMESPACES).map((namespace) => `namespaces/${namespace}/`),
  '',
  'namespaces/alpha%2F',
  'namespaces//',
  'namespaces/%61lpha/',
  'namespaces/alpha/../beta/',
  'namespaces/*/',
);
const nameParts = fc.oneof(
  fc.constant(''),
  mostly(
    pick(NAMES).map((name) => `/${name}`),
    '/',
    '/x/',
    '/x%2Fy',
    '/x%00',
    '/%78',
    '/..%2Fx',
    '/x,y',
    '/*',
    '//x',
  ),
);
const resources = mostly(
  oneOf('api/v1||secrets', 'api/v1||configmaps', `apis/${GROUP}/v1||widgets`),
  'api/v1||%73ecrets',
  'api/v1||namespaces',
  'api/v1||widgets',
);
const paths = fc
  .tuple(
    resources,
    mostly(oneOf('', 'watch/'), 'watch/watch/', 'proxy/'),
    namespaceParts,
    nameParts,
    mostly(oneOf('', ''), '/status', '/scale', '/status/more', '/token', '/x', '%2Fstatus'),
  )
  .map(([resource, verb, namespace, name, subresource]) => {
    const [base = '', plural = ''] = resource.split('||');
    return `/${base}/${verb}${namespace}${plural}${name}${subresource}`;
  });

const selectors = fc
  .tuple(
    oneOf('metadata.name', 'metadata.namespace', ' metadata.name', 'metadata.name '),
    oneOf('=', '==', '!='),
    oneOf(...NAMES, ...NAMESPACES, '', ' x', 'x\\,y', '*', 'x=y', '../x'),
  )
  .map((parts) => parts.join(''));
const selector = fc.oneof(
  pick(NAMES).map((name) => `metadata.name=${name}`),
  selectors,
  fc.tuple(selectors, selectors).map((two) => two.join(',')),
  oneOf('', 'metadata.name=x,metadata.name!=x', 'metadata.name!=x,metadata.name=x'),
);
const strangeQueries = fc.record(
  {
    fieldSelector: fc.oneof(
      selector,
      fc.tuple(selector, selector).map((two): string | string[] => two),
    ),
    labelSelector: oneOf('app=x', 'app in (x,y)', 'app!=x', ''),
    watch: oneOf<string | string[]>('true', '1', 'false', '0', '', 'TRUE', ['false', 'true']),
    resourceVersion: oneOf('', '0', '1'),
    limit: oneOf('1', '500', '0'),
    sendInitialEvents: oneOf('true'),
    resourceVersionMatch: oneOf('NotOlderThan'),
    dryRun: oneOf('All'),
    fieldManager: oneOf('tests'),
    force: oneOf('true'),
  },
  { requiredKeys: [] },
);

const queries: fc.Arbitrary<NonNullable<ApiRequest['query']>> = fc.oneof(
  fc.constant({}),
  selector.map((fieldSelector) => ({ fieldSelector })),
  fc.tuple(selector, oneOf('1', '')).map(([fieldSelector, watch]) => ({ fieldSelector, watch })),
  strangeQueries,
);

const bodies = fc.record({
  name: oneOf(...NAMES),
  namespace: oneOf('', ...NAMESPACES),
  isLike: fc.boolean(),
  hasBody: fc.boolean(),
  resource: oneOf('secrets', 'configmaps', 'widgets'),
});

const requests = fc
  .record({
    method: oneOf<ApiRequest['method']>('GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path: paths,
    query: queries,
    body: bodies,
    patch: oneOf('merge-patch+json', 'apply-patch+yaml', 'strategic-merge-patch+json', 'json'),
    accept: oneOf('', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'),
  })
  .map(({ method, path, query, body, patch, accept }): ApiRequest => {
    const kinds: Record<string, string> = { secrets: 'Secret', configmaps: 'ConfigMap', widgets: 'Widget' };
    // Half of the bodies fit the path, so that the request comes past the first checks.
    const [, resource = body.resource, name = body.name] = body.isLike
      ? (/(secrets|configmaps|widgets)(?:\/(\w+))?/.exec(path) ?? [])
      : [];
    const object = {
      apiVersion: resource === 'widgets' ? `${GROUP}/v1` : 'v1',
      kind: kinds[resource],
      metadata: {
        name,
        ...(!body.isLike && body.namespace !== '' && { namespace: body.namespace }),
        annotations: { touched: 'yes' },
      },
    };
    return {
      method,
      path,
      query,
      headers: {
        ...(accept !== '' && { accept }),
        ...(method === 'PATCH' && { 'content-type': `application/${patch}` }),
      },
      ...(method !== 'GET' && (method !== 'DELETE' || body.hasBody) && { body: object }),
    };
  });

/** Everything of the answer that comes at once: of a watch what stands when it begins. */
async function ask(api: GuardedApi, user: UserInfo, request: ApiRequest): Promise<string> {
  const stop = new AbortController();
  const answer = await api.transport(user).watch({ ...request, signal: stop.signal });
  if (answer.events === undefined) return JSON.stringify(answer.body) ?? '';
  const events = answer.events[Symbol.asyncIterator]();
  const first = events.next();
  first.catch(() => {});
  const batches: string[] = [];
  const read = first.then(({ value }) => batches.push(JSON.stringify(value) ?? ''));
  for (let turn = 0; turn < 5 && batches.length === 0; turn++) await nextTurn();
  stop.abort();
  await read.catch(() => {});
  await events.return?.();
  return batches.join('');
}

describe('a caller', () => {
  const api = new GuardedApi();
  let versions: Map<string, string>;

  before(async () => {
    await api.start();
    for (const { user, namespace, rules, probe } of CALLERS)
      if (probe !== '') await api.grant(user, namespace, rules, probe);
    // The node has a pod that needs one secret.
    await api.must('POST', '/api/v1/namespaces/alpha/pods', {
      metadata: { name: 'p' },
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'main', image: 'example.invalid/none' }],
        volumes: [{ name: 's', secret: { secretName: 'x' } }],
      },
    });
    versions = await api.versions();
  });
  after(() => api[Symbol.asyncDispose]());

  async function check(caller: Caller, request: ApiRequest): Promise<string> {
    const text = await ask(api, caller.user, request);
    const what = `${caller.user.name}: ${request.method} ${request.path} ${JSON.stringify(request.query)}`;
    for (const guarded of GUARDED)
      if (text.includes(guarded.mark)) assert.ok(caller.sees(guarded), `${what} showed ${guarded.mark}`);
    const now = await api.versions();
    for (const guarded of GUARDED) {
      if (now.get(guarded.mark) === versions.get(guarded.mark)) continue;
      assert.ok(caller.changes(guarded), `${what} changed ${guarded.mark}`);
      await api.restore(guarded);
    }
    versions = await api.versions();
    return text;
  }

  for (const path of [
    '/api/v1/watch/namespaces/alpha/secrets/x',
    '/api/v1/namespaces/alpha/secrets?fieldSelector=metadata.name=x',
    '/api/v1/namespaces/alpha/secrets?fieldSelector=metadata.name=x&watch=1',
    '/api/v1/namespaces/alpha/secrets?fieldSelector=metadata.name%3Dx,metadata.namespace%3Dalpha&watch=',
  ])
    test(`is served the one secret it may see: GET ${path}`, async () => {
      const { pathname, searchParams } = new URL(path, 'https://example.invalid');
      const request = { method: 'GET', path: pathname, query: Object.fromEntries(searchParams) } as const;
      for (const caller of CALLERS.filter(({ user }) => /one-secret|node/.test(user.name)))
        assert.match(await check(caller, request), /<secrets\/alpha\/x>/);
    });

  for (const fieldSelector of ['metadata.name=y', 'metadata.name!=x', 'metadata.namespace=alpha'])
    test(`cannot select another secret on the path of its own: ${fieldSelector}`, async () => {
      const path = '/api/v1/watch/namespaces/alpha/secrets/x';
      for (const caller of CALLERS.filter(({ user }) => /one-secret|node/.test(user.name)))
        assert.match(
          await check(caller, { method: 'GET', path, query: { fieldSelector } }),
          /doesn't match requested name/,
        );
    });

  for (const caller of CALLERS.filter(({ user }) => /one-(writer|namespace|widget)/.test(user.name)))
    test(`${caller.user.name} changes each object that it may change, and no other`, async () => {
      for (const guarded of GUARDED) {
        const before = versions.get(guarded.mark);
        await check(caller, {
          method: 'PATCH',
          path: `${guarded.collection}/${guarded.name}`,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { metadata: { annotations: { touched: 'yes' } } },
        });
        assert.equal(versions.get(guarded.mark) !== before, caller.changes(guarded), guarded.mark);
      }
    });

  test('sees and changes what it is authorised for, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(oneOf(...CALLERS), requests, async (caller, request) => {
        await check(caller, request);
      }),
      { numRuns: 5000 },
    );
  });
});
