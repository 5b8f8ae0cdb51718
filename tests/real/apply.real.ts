// Server-side apply against that of a real API server.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { builtinSchemas, type Schema, type SchemaSource, schemaFor } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import {
  type Endpoint,
  listTypesDefaults,
  listTypesSchema,
  listTypesSpec,
  listTypesStatus,
  MAIN,
  type StepOptions,
  steps,
} from './support/apply-arbitraries.ts';
import { ApplyModel, type ModelKind } from './support/apply-model.ts';
import { createCrd } from './support/crd.ts';
import { JsonApi } from './support/json-api.ts';
import type { JsonDocument } from './support/patch-arbitraries.ts';
import { configMap, deployments, metadata } from './support/workload-arbitraries.ts';

const RUNS = 150;
const group = 'ssa.windlass.test';
const source: SchemaSource = builtinSchemas();

let api: JsonApi;

before(async () => {
  api = await JsonApi.open();
  const versions = { v1: listTypesSchema, v2: listTypesSchema };
  await createCrd(api, { group, kind: 'Typed', plural: 'typeds', versions, status: true });
});

after(() => api[Symbol.dispose]());

function builtin(kind: string, plural: string, group = ''): ModelKind {
  const schema = schemaFor({ group, version: 'v1', kind }) ?? {};
  return { group, kind, plural, versions: ['v1'], schema, source, custom: false };
}

/** As the server completes it: with what every object has. */
const typedSchema: Schema = {
  ...listTypesSchema,
  properties: {
    ...listTypesSchema.properties,
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  },
};

const typed: ModelKind = {
  group,
  kind: 'Typed',
  plural: 'typeds',
  versions: ['v1', 'v2'],
  schema: typedSchema,
  source,
  custom: true,
  applyDefaults: listTypesDefaults,
};

const typedObjects: fc.Arbitrary<JsonDocument> = fc
  .tuple(metadata, listTypesSpec, listTypesStatus)
  .map(([meta, spec, status]) => ({
    apiVersion: `${group}/v1`,
    kind: 'Typed',
    metadata: meta,
    spec,
    status,
  }));

const v2: Endpoint = { version: 'v2', subresource: '' };
const status: Endpoint = { version: 'v1', subresource: 'status' };

const rows: readonly [what: string, kind: ModelKind, options: StepOptions][] = [
  ['a custom resource', typed, { objects: typedObjects }],
  ['a custom resource in two versions', typed, { objects: typedObjects, endpoints: [MAIN, v2] }],
  [
    'a custom resource and its status',
    typed,
    { objects: typedObjects, endpoints: [MAIN, status], created: true },
  ],
  // Parts of a deployment are not valid alone.
  [
    'a Deployment',
    builtin('Deployment', 'deployments', 'apps'),
    { objects: deployments('containerPort', 'protocol'), created: true },
  ],
  ['a ConfigMap', builtin('ConfigMap', 'configmaps'), { objects: configMap }],
];

describe('server-side apply gives the same objects, owners and conflicts', () => {
  for (const [what, kind, options] of rows)
    it(what, async () => {
      const outcomes = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(steps(options), async (history) => {
          const model = new ApplyModel(api, kind, `apply-${randomUUID()}`);
          for (const step of history) await model.step(step);
          for (const [what, count] of model.outcomes) outcomes.set(what, (outcomes.get(what) ?? 0) + count);
        }),
        { numRuns: RUNS },
      );
      console.log(what, outcomes);
      for (const outcome of ['apply 200', 'apply 409', 'put 200', 'merge 200'])
        assert.ok((outcomes.get(outcome) ?? 0) > RUNS / 20, `${outcome}: ${JSON.stringify([...outcomes])}`);
    });
});
