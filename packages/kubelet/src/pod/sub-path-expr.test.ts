import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EnvVar, VolumeMount } from '@windlass/apimachinery/api/core/v1';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { environmentValues } from '../environment/environment-values.ts';
import { expand } from '../environment/expand.ts';
import { subPathProblem } from './sub-path-expr.ts';
import { testPod } from './testing.ts';

describe('references in a text', () => {
  const rows: [text: string, expanded: string][] = [
    ['$(A)/$(B)', '[A]/[B]'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$[A]'],
    ['$(A', '$(A'],
    ['$A $', '$A $'],
    ['$()', '[]'],
  ];
  for (const [text, expanded] of rows)
    it(text, () =>
      assert.equal(
        expand(text, (name) => `[${name}]`),
        expanded,
      ),
    );
});

const objects = {
  allocatable: () => ({}),
  services: async () => [],
  configMap: async (_: string, name: string) =>
    name === 'map' ? served(ConfigMap, { metadata: { name }, data: { KEY: 'value', DIR: '..' } }) : undefined,
  secret: async (_: string, name: string) =>
    name === 'secret' ? served(Secret, { metadata: { name }, data: { PASS: 'c2VjcmV0' } }) : undefined,
};

describe('where a volume is mounted', () => {
  const name = (env: EnvVar['valueFrom']): EnvVar => ({
    name: 'NAME',
    ...(env !== undefined && { valueFrom: env }),
  });
  const rows: [expr: string, env: EnvVar[], problem: string | undefined][] = [
    ['$(NAME)', [name({ fieldRef: { fieldPath: 'metadata.name' } })], undefined],
    [
      '$(NAME)',
      [name({ fieldRef: { fieldPath: "metadata.annotations['none']" } })],
      'missing value for NAME',
    ],
    ['$(NAME)', [name({ fieldRef: { fieldPath: "metadata.labels['app']" } })], undefined],
    ['$(OTHER)/$(ANOTHER)', [], 'missing value for ANOTHER, OTHER'],
    ['$$(OTHER)', [], undefined],
    ['$(NAME)', [{ name: 'NAME', value: '' }], 'missing value for NAME'],
    ['$(NAME)', [{ name: 'NAME', value: '/tmp' }], 'error SubPath `/tmp` must not be an absolute path'],
    ['$(NAME)', [{ name: 'NAME', value: '..' }], "unable to provision SubPath `..`: must not contain '..'"],
    [
      'a/$(NAME)',
      [
        { name: 'A', value: '..' },
        { name: 'NAME', value: '$(A)/b' },
      ],
      "unable to provision SubPath `a/../b`: must not contain '..'",
    ],
    ['a/$(NAME)', [name({ configMapKeyRef: { name: 'map', key: 'KEY' } })], undefined],
    [
      'a/$(NAME)',
      [name({ configMapKeyRef: { name: 'map', key: 'DIR' } })],
      "unable to provision SubPath `a/..`: must not contain '..'",
    ],
    ['$(NAME)', [name({ secretKeyRef: { name: 'secret', key: 'PASS' } })], undefined],
    [
      '$(NAME)',
      [name({ secretKeyRef: { name: 'none', key: 'PASS', optional: true } })],
      'missing value for NAME',
    ],
    ['$(X_KEY)', [], undefined],
    ['$(KUBERNETES_SERVICE_HOST)', [], undefined],
    ['$(NAME)', [name({ fieldRef: { fieldPath: 'status.podIP' } })], undefined],
  ];
  for (const [subPathExpr, env, problem] of rows)
    it(`${subPathExpr} with ${JSON.stringify(env)}: ${problem}`, async () => {
      const mount: VolumeMount = { name: 'v', mountPath: '/v', subPathExpr };
      const envFrom = [{ prefix: 'X_', configMapRef: { name: 'map' } }];
      const container = { name: 'a', env, envFrom, volumeMounts: [mount] };
      const pod = testPod({}, { labels: { app: 'web' } });
      const values = await environmentValues(pod, container, {
        objects,
        podIP: '10.1.0.7',
        hostIP: '192.0.2.1',
        signal: new AbortController().signal,
      });
      assert.equal(subPathProblem(container, values), problem);
    });
});
