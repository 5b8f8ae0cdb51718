// What the server makes of itself is made when the disk has room again, though nothing else happens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, silentLogger } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { ApiServer } from '../api-server.ts';
import { StorageFailedError } from '../storage/errors.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import type { Store } from '../storage/store.ts';

interface Row {
  readonly what: string;
  /** Which writes find no room. */
  readonly refused: RegExp;
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What there is in the end. */
  readonly made: string;
  readonly shows?: RegExp;
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const REGISTRATIONS = '/apis/apiregistration.k8s.io/v1/apiservices';
const CIDRS = '/apis/networking.k8s.io/v1/servicecidrs';
const AUTHENTICATION = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

const rows: readonly Row[] = [
  {
    what: 'the account of a new namespace',
    refused: /^\/\/serviceaccounts\/new\//,
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'new' } },
    made: '/api/v1/namespaces/new/serviceaccounts/default',
  },
  {
    what: 'whom the server trusts',
    refused: /extension-apiserver-authentication$/,
    method: 'DELETE',
    path: AUTHENTICATION,
    made: AUTHENTICATION,
  },
  {
    what: 'the rules of an aggregated role',
    refused: /\/clusterroles\/admin$/,
    method: 'POST',
    path: RBAC,
    body: {
      metadata: { name: 'more', labels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
    },
    made: `${RBAC}/admin`,
    shows: /example\.com/,
  },
  {
    what: 'the registration of a group version',
    refused: /\/apiservices\/v1\.example\.com$/,
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
    made: `${REGISTRATIONS}/v1.example.com`,
  },
  {
    what: 'the range of service addresses',
    refused: /\/servicecidrs\/kubernetes$/,
    method: 'DELETE',
    path: `${CIDRS}/kubernetes`,
    made: `${CIDRS}/kubernetes`,
    shows: /"Ready"/,
  },
];

/** Deletions need no room. */
function filling(store: Store, isFull: (key: string) => boolean): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found !== 'function') return found;
      return (...args: readonly unknown[]): unknown =>
        name === 'put' && isFull(String(args[0]))
          ? Promise.reject(new StorageFailedError('the disk is full', { recoverable: true }))
          : found.apply(target, args);
    },
  });
}

describe('after a full disk', () => {
  for (const { what, refused, method, path, body, made, shows = /./ } of rows)
    it(`there is ${what}`, async () => {
      const clock = new FakeClock();
      let refusals = 0;
      let isFull = false;
      const store = filling(createMemoryStore({ clock }), (key) => {
        if (!isFull || !refused.test(key)) return false;
        refusals++;
        return true;
      });
      const server = new ApiServer({
        store,
        clock,
        logger: silentLogger,
        clientCa: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
      });
      await server.ready();
      const transport = server.transport();
      isFull = true;
      const { status } = await transport.request({ method, path, ...(body !== undefined && { body }) });
      assert.ok(status < 300, String(status));
      await until('a write finds no room', () => refusals > 0);
      isFull = false;
      await until(`there is ${what}`, async () => {
        await clock.advance(1000);
        const answer = await transport.request({ method: 'GET', path: made });
        return answer.status === 200 && shows.test(JSON.stringify(answer.body));
      });
      assert.ok(clock.monotonic() >= 5000, 'not before there can be room');
      await server.close();
    });
});
