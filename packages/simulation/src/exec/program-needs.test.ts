// A real program that has files, a port and webhooks of its own.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isInternalError } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { SimulationOptions, User, WebhookConfiguration } from '../simulation.ts';
import { runExec } from './run-exec.ts';

const ANNOTATOR = `node ${join(import.meta.dirname, 'testing/annotator.ts')} {folder} {port:webhooks}`;

const configuration: WebhookConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'annotator' },
  webhooks: [
    {
      name: 'notes.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { name: 'annotator', namespace: 'system', path: '/annotate' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    },
  ],
};

const program = (workload: (user: User) => Promise<void>): SimulationOptions => ({
  workload,
  exec: {
    files: { 'settings.json': '{"note": "asked", "port": {port:webhooks}}' },
    webhooks: [configuration],
  },
  invariants: {
    'each has the annotation of the program': async (state) => {
      const own = (await state.list(ConfigMap)).filter(({ metadata }) => metadata.namespace === 'default');
      const notes = own.map(({ metadata }) => `${metadata.name} ${metadata.annotations?.['asked']}`);
      return notes.join() === 'a /annotate' ? undefined : `there are ${notes.join()}`;
    },
  },
});

test('a program answers its webhooks, and nobody does while it is down', async () => {
  const told: string[] = [];
  const { failure } = await runExec(
    program(async ({ client, pass, until }) => {
      const maps = client.resource(ConfigMap).namespace('default');
      const create = (name: string) => maps.create({ metadata: { name } });
      await until('the webhook is asked', async () => {
        try {
          await create('a');
          return true;
        } catch (error) {
          if (!isInternalError(error)) throw error;
          return false;
        }
      });
      // The program is killed by that write.
      await pass(200);
      await create('b').catch((error: unknown) => told.push(String(error)));
    }),
    {
      command: ANNOTATOR,
      seed: 1,
      plan: [{ kind: 'kill', process: 'exec', when: { by: 'user', write: 1 }, downMs: 3000 }],
      warmMs: 300,
      quietMs: 400,
    },
  );
  assert.equal(failure, undefined);
  assert.match(told.join(), /failed calling webhook "notes\.example\.com".*127\.0\.0\.1:\d+\/annotate/);
});
