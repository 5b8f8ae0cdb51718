import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Status } from '@windlass/apimachinery';
import type { TokenRequest } from '@windlass/apimachinery/api/authentication/v1';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();
const PODS = inDefault('pods');

async function ask(spec: Json): Promise<{ readonly status: number; readonly body: TokenRequest & Status }> {
  const path = `${await api.create(inDefault('serviceaccounts'), {})}/token`;
  const { status, body } = await api.request('POST', path, { body: { spec } });
  // It is one or the other.
  return { status, body: body as TokenRequest & Status };
}

describe('a token of a service account', () => {
  const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const made = {
    Pod: () => api.create(PODS, { spec: { containers: [{ name: 'c', image: 'i' }] } }),
    Secret: () => api.create(inDefault('secrets'), {}),
    Node: () => api.create('/api/v1/nodes', {}),
  };

  for (const [kind, make] of Object.entries(made)) {
    it(`can be bound to a ${kind}`, async () => {
      const boundObjectRef = { kind, apiVersion: 'v1', name: lastOf(await make()) };
      const { status, body } = await ask({ boundObjectRef });
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.spec?.boundObjectRef?.kind, kind);
    });

    it(`is not bound to a ${kind} that is not there`, async () => {
      assert.equal((await ask({ boundObjectRef: { kind, apiVersion: 'v1', name: 'none' } })).status, 404);
    });

    it(`is not bound to another ${kind} of that name`, async () => {
      const boundObjectRef = { kind, apiVersion: 'v1', name: lastOf(await make()), uid: 'another' };
      const { status, body } = await ask({ boundObjectRef });
      assert.equal(status, 409);
      assert.match(body.message ?? '', /the UID in the bound object reference \(another\) does not match/);
    });
  }

  it('is bound to nothing else', async () => {
    const { body } = await ask({ boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'a' } });
    assert.deepEqual(
      body.details?.causes?.map(({ field }) => field),
      ['spec.boundObjectRef.kind'],
    );
  });

  for (const [seconds, status] of [
    [599, 422],
    [600, 201],
    [2 ** 32, 201],
    [2 ** 32 + 1, 422],
  ] as const)
    it(`for ${seconds} s is ${status === 201 ? 'issued' : 'refused'}`, async () => {
      assert.equal((await ask({ expirationSeconds: seconds })).status, status);
    });
});
