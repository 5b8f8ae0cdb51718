// Who owns what of a new object, for every built-in kind, against a real API server.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  builtinResources,
  builtinSchemas,
  FieldManager,
  formatPath,
  parseFieldsV1,
  schemaFor,
  TypeCompiler,
} from '@windlass/apimachinery';
import { sharedRealCluster } from './harness/index.ts';
import { minimalObjects } from './minimal-objects.ts';
import { JsonApi, type JsonBody } from './support/json-api.ts';

const types = new TypeCompiler(builtinSchemas());

let api: JsonApi;

before(async () => {
  api = await JsonApi.open();
});

after(() => api[Symbol.dispose]());

describe('every built-in kind has the owners that the server gives it', () => {
  /** What this endpoint resets, or what the server sets before it answers. */
  const SET_BY_SERVER: Readonly<Record<string, readonly string[]>> = {
    Namespace: ['.spec.finalizers'],
    Node: ['.status'],
    PersistentVolume: ['.metadata.finalizers'],
    PersistentVolumeClaim: ['.metadata.finalizers'],
    Pod: ['.spec.preemptionPolicy', '.spec.priority'],
    Service: ['.spec.clusterIP', '.spec.clusterIPs', '.spec.ipFamilies', '.spec.ipFamilyPolicy'],
    Job: ['.spec.selector', '.spec.template.metadata.labels'],
    CertificateSigningRequest: ['.spec'],
    // Sent as an empty list, which the creator owns, and stored as none.
    ClusterRole: ['.rules'],
    VolumeAttributesClass: ['.metadata.finalizers'],
  };
  const pathsOf = (object: JsonBody): string[] => {
    const [entry] = (object['metadata'] as { managedFields?: { fieldsV1: unknown }[] }).managedFields ?? [];
    return [...parseFieldsV1(entry?.fieldsV1).paths()].map(formatPath);
  };

  for (const method of ['apply', 'create'] as const)
    it(`on ${method}`, async () => {
      const { ca } = await sharedRealCluster();
      let compared = 0;
      for (const object of minimalObjects({ namespace: 'default', ca })) {
        const [group, version] = object.apiVersion.includes('/')
          ? object.apiVersion.split('/')
          : ['', object.apiVersion];
        const gvk = { group: group ?? '', version: version ?? '', kind: object.kind };
        const resource = builtinResources().byKind(gvk);
        const schema = schemaFor(gvk);
        if (resource === undefined || schema === undefined) continue;
        const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
        const path = `${root}${resource.namespaced ? '/namespaces/default' : ''}/${resource.plural}`;
        const query = { dryRun: 'All', fieldManager: 'me' };
        const { status, body } = await (method === 'create'
          ? api.post(path, object, { query })
          : api.patch('apply', `${path}/${object.metadata?.name}`, object, { query }));
        if (status !== 201 || pathsOf(body).length === 0) continue;
        const ours = new FieldManager({ types, kind: gvk, schema });
        const { managedFields: _, ...metadata } = body['metadata'] as JsonBody;
        const mine: JsonBody =
          method === 'apply'
            ? ours.apply<JsonBody>({ live: undefined, applied: object, manager: 'me' })
            : ours.update<JsonBody>({
                live: undefined,
                updated: { ...body, metadata, ...('status' in body && { status: {} }) },
                manager: 'me',
              }).object;
        const ignored = [...(SET_BY_SERVER[object.kind] ?? []), '.status'];
        const relevant = (paths: string[]): string[] =>
          paths
            .filter(
              (field) =>
                !ignored.some(
                  (prefix) =>
                    field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`),
                ),
            )
            .sort();
        assert.deepEqual(
          relevant(pathsOf(mine)),
          relevant(pathsOf(body)),
          `${object.apiVersion} ${object.kind}`,
        );
        compared++;
      }
      assert.ok(compared > 75, `only ${compared} kinds were compared`);
    });
});
