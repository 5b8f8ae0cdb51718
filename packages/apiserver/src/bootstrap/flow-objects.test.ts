import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import { FakeClock } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import {
  AUTOUPDATE,
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  SUGGESTED_LEVELS,
  SUGGESTED_SCHEMAS,
} from '../flowcontrol/configuration/default-objects.ts';
import { createMemoryStore } from '../storage/index.ts';
import { listOfKind } from '../storage/stored-kinds.ts';
import { isUnwanted, revised } from './flow-objects.ts';

const [wanted] = SUGGESTED_LEVELS;
assert.ok(wanted !== undefined);
const SPEC = wanted.spec;
const CHANGED = { ...SPEC, limited: { ...SPEC.limited, nominalConcurrencyShares: 7 } };

describe('a default object that is there', () => {
  interface Row {
    readonly is: string;
    readonly annotation?: string;
    readonly generation?: number;
    readonly isChanged?: boolean;
    readonly isMandatory?: boolean;
    /** What the annotation says afterwards, and whether the spec was put back. Undefined: it stays as it is. */
    readonly becomes: readonly [annotation: string, isPutBack: boolean] | undefined;
  }
  const rows: readonly Row[] = [
    { is: 'as wanted', annotation: 'true', becomes: undefined },
    { is: 'changed, and to be kept', annotation: 'true', isChanged: true, becomes: ['true', true] },
    { is: 'changed, and not to be kept', annotation: 'false', isChanged: true, becomes: undefined },
    { is: 'as wanted, and not to be kept', annotation: 'false', becomes: undefined },
    { is: 'without a word, and never changed', generation: 1, becomes: ['true', false] },
    { is: 'made otherwise, and never changed', generation: 1, isChanged: true, becomes: ['true', true] },
    { is: 'without a word, and changed', generation: 2, isChanged: true, becomes: ['false', false] },
    { is: 'annotated with nonsense, and changed', annotation: 'x', generation: 2, becomes: ['false', false] },
    {
      is: 'mandatory and changed',
      annotation: 'true',
      isChanged: true,
      isMandatory: true,
      becomes: ['true', true],
    },
    {
      is: 'mandatory, whatever its annotation says',
      annotation: 'false',
      isChanged: true,
      isMandatory: true,
      becomes: ['true', true],
    },
    { is: 'mandatory and as wanted', annotation: 'True', isMandatory: true, becomes: undefined },
  ];
  for (const { is, annotation, generation = 3, isChanged = false, isMandatory = false, becomes } of rows)
    test(is, () => {
      const annotations = { other: 'x', ...(annotation !== undefined && { [AUTOUPDATE]: annotation }) };
      const current = {
        metadata: { name: 'system', generation, annotations },
        spec: isChanged ? CHANGED : SPEC,
      };
      const next = revised(current, wanted, isMandatory);
      assert.equal(next === undefined, becomes === undefined);
      if (next === undefined || becomes === undefined) return;
      assert.deepEqual(next.metadata?.annotations, { other: 'x', [AUTOUPDATE]: becomes[0] });
      assert.deepEqual(next.spec, becomes[1] || !isChanged ? SPEC : CHANGED);
    });

  test('exempt, may say what it takes from the others', () => {
    const exempt = MANDATORY_LEVELS.find(({ metadata }) => metadata.name === 'exempt');
    assert.ok(exempt !== undefined);
    const current = {
      metadata: exempt.metadata,
      spec: { ...exempt.spec, exempt: { nominalConcurrencyShares: 10, lendablePercent: 50 } },
    };
    assert.equal(revised(current, exempt, true), undefined);
    assert.notEqual(
      revised({ metadata: exempt.metadata, spec: { type: 'Exempt' } }, exempt, true),
      undefined,
    );
  });

  test('of another release goes, unless it is somebody’s own', () => {
    const named = (name: string, annotation?: string) => ({
      metadata: { name, ...(annotation !== undefined && { annotations: { [AUTOUPDATE]: annotation } }) },
    });
    assert.equal(isUnwanted(named('old', 'true'), SUGGESTED_LEVELS), true);
    assert.equal(isUnwanted(named('old', 'false'), SUGGESTED_LEVELS), false);
    assert.equal(isUnwanted(named('old'), SUGGESTED_LEVELS), false);
    assert.equal(isUnwanted(named('system', 'true'), SUGGESTED_LEVELS), false);
  });
});

describe('a server', () => {
  const PATH = '/apis/flowcontrol.apiserver.k8s.io/v1';

  test('makes the objects of Kubernetes 1.36, with their status, and writes nothing when it starts again', async () => {
    const store = createMemoryStore({});
    const server = new ApiServer({ store });
    await server.ready();
    const schemas = await listOfKind(store, FlowSchema);
    const levels = await listOfKind(store, PriorityLevelConfiguration);
    assert.deepEqual(
      new Map(schemas.map(({ metadata, spec }) => [metadata?.name, spec])),
      new Map(
        [...MANDATORY_SCHEMAS, ...SUGGESTED_SCHEMAS].map(({ metadata, spec }) => [metadata.name, spec]),
      ),
    );
    assert.deepEqual(
      new Map(levels.map(({ metadata, spec }) => [metadata?.name, spec])),
      new Map([...MANDATORY_LEVELS, ...SUGGESTED_LEVELS].map(({ metadata, spec }) => [metadata.name, spec])),
    );
    for (const { metadata, status } of schemas) {
      const [condition] = status?.conditions ?? [];
      assert.deepEqual([condition?.type, condition?.status], ['Dangling', 'False'], metadata?.name ?? '');
    }
    const { revision } = store;
    const again = new ApiServer({ store });
    await again.ready();
    assert.equal(store.revision, revision);
    await again.close();
  });

  test('puts back within a minute what somebody changed or deleted', async () => {
    const clock = new FakeClock();
    const store = createMemoryStore({ clock });
    await using server = new ApiServer({ store, clock });
    const api = server.transport();
    const nameOf = (name: string) => `${PATH}/flowschemas/${name}`;
    const get = async (path: string) => (await api.request({ method: 'GET', path })).status;
    assert.equal((await api.request({ method: 'DELETE', path: nameOf('catch-all') })).status, 200);
    assert.equal((await api.request({ method: 'DELETE', path: nameOf('global-default') })).status, 200);
    const changed = await api.request({
      method: 'PATCH',
      path: nameOf('probes'),
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { annotations: { [AUTOUPDATE]: 'false' } }, spec: { matchingPrecedence: 3 } },
    });
    assert.equal(changed.status, 200);
    await clock.advance(60_000);
    assert.equal(await get(nameOf('catch-all')), 200);
    assert.equal(await get(nameOf('global-default')), 200);
    const schemas = await listOfKind(store, FlowSchema);
    const probes = schemas.find(({ metadata }) => metadata?.name === 'probes');
    assert.equal(probes?.spec?.matchingPrecedence, 3, 'what is not to be kept stays as it is');
  });
});
