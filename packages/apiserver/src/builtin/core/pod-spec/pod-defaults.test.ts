// What a pod is given that does not say otherwise (SetDefaults_* of Kubernetes 1.36).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();

describe('the defaults of a volume', () => {
  const fieldRef = { fieldPath: 'metadata.name' };
  const rows: readonly (readonly [rule: string, volume: Json, defaulted: Json])[] = [
    ['make one without a source an empty directory', {}, { emptyDir: {} }],
    [
      'let everybody read the files of a secret',
      { secret: { secretName: 's' } },
      { secret: { secretName: 's', defaultMode: 0o644 } },
    ],
    [
      'leave open what a path of the host is',
      { hostPath: { path: '/a' } },
      { hostPath: { path: '/a', type: '' } },
    ],
    [
      'say of which version the fields of the pod are',
      { downwardAPI: { items: [{ path: 'a', fieldRef }] } },
      {
        downwardAPI: {
          items: [{ path: 'a', fieldRef: { apiVersion: 'v1', ...fieldRef } }],
          defaultMode: 0o644,
        },
      },
    ],
    [
      'give a token an hour, and projected fields their version',
      {
        projected: {
          sources: [
            { serviceAccountToken: { path: 't' } },
            { downwardAPI: { items: [{ path: 'a', fieldRef }] } },
          ],
        },
      },
      {
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3600, path: 't' } },
            { downwardAPI: { items: [{ path: 'a', fieldRef: { apiVersion: 'v1', ...fieldRef } }] } },
          ],
          defaultMode: 0o644,
        },
      },
    ],
    [
      'leave what is said',
      {
        projected: {
          sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 700 } }],
          defaultMode: 0,
        },
      },
      {
        projected: {
          sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 700 } }],
          defaultMode: 0,
        },
      },
    ],
  ];
  for (const [rule, volume, defaulted] of rows)
    it(rule, async () => {
      const volumes = [{ name: 'v', ...volume }];
      const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }], volumes };
      const pod = await api.defaulted<Pod>(inDefault('pods'), { spec });
      assert.deepEqual(pod.spec?.volumes, [{ name: 'v', ...defaulted }]);
    });
});

describe('the defaults of a container', () => {
  const OWN = {
    name: 'c',
    image: 'i:1',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  };
  const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  const rows: readonly (readonly [rule: string, container: Json, defaulted: Json])[] = [
    ['say where it leaves its last words', {}, {}],
    ['pull an image that may change', { image: 'i' }, { image: 'i', imagePullPolicy: 'Always' }],
    [
      'take ports for those of TCP',
      { ports: [{ containerPort: 1 }] },
      { ports: [{ containerPort: 1, protocol: 'TCP' }] },
    ],
    [
      'say of which version a field of the pod is',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }] },
    ],
    [
      'count a resource in its own unit',
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] },
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } }] },
    ],
    [
      'look every ten seconds whether it lives',
      { livenessProbe: { httpGet: { port: 1 } } },
      { livenessProbe: { httpGet: { path: '/', port: 1, scheme: 'HTTP' }, ...probe } },
    ],
    [
      'ask a server of gRPC as a whole',
      { startupProbe: { grpc: { port: 1 } } },
      { startupProbe: { grpc: { port: 1, service: '' }, ...probe } },
    ],
    [
      'say what to ask before it ends',
      { lifecycle: { preStop: { httpGet: { port: 1 } }, postStart: { httpGet: { port: 2 } } } },
      {
        lifecycle: {
          postStart: { httpGet: { path: '/', port: 2, scheme: 'HTTP' } },
          preStop: { httpGet: { path: '/', port: 1, scheme: 'HTTP' } },
        },
      },
    ],
  ];
  for (const [rule, container, defaulted] of rows)
    it(rule, async () => {
      const containers = [{ name: 'c', image: 'i:1', ...container }];
      const spec = { automountServiceAccountToken: false, containers };
      const pod = await api.defaulted<Pod>(inDefault('pods'), { spec });
      assert.deepEqual(pod.spec?.containers, [{ ...OWN, ...defaulted }]);
    });
});
