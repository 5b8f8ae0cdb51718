// What the audit log is told of webhooks.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { ApiServer } from '../../api-server.ts';
import type { AuditEvent } from '../../audit/audit-event.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const issuer = { clock: realClock, random: systemRandom };
const ca = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 1 }, issuer);
const pair = issueCertificate(
  { commonName: 'hook', hosts: ['127.0.0.1'], usage: 'server', validDays: 1 },
  issuer,
  ca,
);
const API = '/apis/admissionregistration.k8s.io/v1';

let server: ApiServer;
let hooks: Server;
let annotations: Record<string, string> = {};
before(async () => {
  const sink = {
    write(line: string) {
      annotations = { ...(JSON.parse(line) as AuditEvent).annotations };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  server = new ApiServer({ store: createMemoryStore(), audit: { sink } });
  await server.ready();
  hooks = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { uid } = (JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string } }).request;
      const patch = [{ op: 'add', path: '/data', value: { changed: 'yes' } }];
      const change = { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
      const answer = {
        uid,
        allowed: true,
        auditAnnotations: { seen: 'yes' },
        ...(request.url?.startsWith('/change') && change),
      };
      response.end(
        JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: answer }),
      );
    });
  });
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  hooks.closeAllConnections();
  await new Promise((resolve) => hooks.close(resolve));
  await server.close();
});

describe('the audit log', () => {
  it('says which webhooks changed an object, failed, or had something to say', async () => {
    const url = `https://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ];
    const post = async (path: string, body: object): Promise<void> => {
      const { status, body: said } = await server.transport().request({ method: 'POST', path, body });
      assert.equal(status, 201, JSON.stringify(said));
    };
    const hook = (name: string, path: string, more: object = {}): object => ({
      name: `${name}.example.org`,
      clientConfig: { url: `${url}${path}`, caBundle: Buffer.from(ca.cert).toString('base64') },
      rules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    });
    const dead = {
      clientConfig: { url: 'https://127.0.0.1:1/x' },
      failurePolicy: 'Ignore',
      timeoutSeconds: 1,
    };
    await post(`${API}/mutatingwebhookconfigurations`, {
      metadata: { name: 'm' },
      webhooks: [hook('look', '/look'), hook('change', '/change'), hook('dead', '', dead)],
    });
    await post(`${API}/validatingwebhookconfigurations`, {
      metadata: { name: 'v' },
      webhooks: [hook('check', '/check'), hook('broken', '', dead)],
    });
    await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
    const shown = Object.entries(annotations).filter(([key]) => !key.startsWith('authorization.k8s.io/'));
    const told = (webhook: string, mutated: boolean): string =>
      JSON.stringify({ configuration: 'm', webhook: `${webhook}.example.org`, mutated });
    assert.deepEqual(Object.fromEntries(shown), {
      'look.example.org/seen': 'yes',
      'change.example.org/seen': 'yes',
      'check.example.org/seen': 'yes',
      'mutation.webhook.admission.k8s.io/round_0_index_0': told('look', false),
      'mutation.webhook.admission.k8s.io/round_0_index_1': told('change', true),
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_2': 'dead.example.org',
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_1': 'broken.example.org',
    });
  });
});
