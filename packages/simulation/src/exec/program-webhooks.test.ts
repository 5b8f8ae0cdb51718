import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookClientConfig } from '@windlass/apimachinery/api/admissionregistration/v1';
import { ledToProgram } from './program-webhooks.ts';

const rows: readonly (readonly [of: WebhookClientConfig, url: string])[] = [
  [{ service: { name: 'a', namespace: 'b', path: '/mutate--v1-pod' } }, '/mutate--v1-pod'],
  [{ service: { name: 'a', namespace: 'b', port: 9443 } }, '/'],
  [{ url: 'https://elsewhere.example:8443/validate', caBundle: 'b3RoZXI=' }, '/validate'],
];

for (const [clientConfig, path] of rows)
  test(`a webhook at ${JSON.stringify(clientConfig)} leads to the program's ${path}`, () => {
    const [led] = ledToProgram([{ name: 'w', clientConfig }], { port: 4321, authority: 'PEM' });
    assert.deepEqual(led, {
      name: 'w',
      clientConfig: { url: `https://127.0.0.1:4321${path}`, caBundle: 'UEVN' },
    });
  });
