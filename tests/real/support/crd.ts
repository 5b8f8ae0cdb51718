import { setTimeout as wait } from 'node:timers/promises';
import type { Schema } from '@windlass/apimachinery';
import type { JsonApi } from './json-api.ts';

export interface TestCrd {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly versions: Readonly<Record<string, Schema>>;
  readonly status?: boolean;
}

/** Makes a namespaced custom resource, and waits until every version of it is served. */
export async function createCrd(api: JsonApi, crd: TestCrd): Promise<void> {
  const { group, kind, plural, versions } = crd;
  const names = Object.keys(versions);
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: names.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: versions[name] },
        ...(crd.status === true ? { subresources: { status: {} } } : {}),
      })),
    },
  };
  const made = await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  if (made.status !== 201 && made.status !== 409) throw new Error(JSON.stringify(made.body));
  for (const name of names)
    while ((await api.get(`/apis/${group}/${name}/namespaces/default/${plural}`)).status !== 200)
      await wait(50);
}
