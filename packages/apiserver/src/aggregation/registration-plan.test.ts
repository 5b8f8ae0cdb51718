import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiServiceView } from './api-services.ts';
import {
  ALWAYS,
  AUTOMANAGED,
  ON_START,
  planRegistration,
  type Registration,
  type RegistrationStep,
} from './registration-plan.ts';

const SPEC = { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 };
const OTHER = { ...SPEC, versionPriority: 1 };

function wanted(sync: typeof ON_START | typeof ALWAYS): Registration {
  return { name: 'v1.example.com', sync, spec: SPEC, isReplaceable: false };
}

function current(label?: string, spec = OTHER): ApiServiceView {
  const labels = label === undefined ? {} : { [AUTOMANAGED]: label };
  return { metadata: { name: 'v1.example.com', labels }, spec };
}

const rows: readonly [
  string,
  Registration | undefined,
  ApiServiceView | undefined,
  string,
  RegistrationStep,
][] = [
  ['nothing there, nothing wanted', undefined, undefined, '', 'none'],
  ['a built-in group on the first start', wanted(ON_START), undefined, '', 'create'],
  ['a built-in group whose APIService was deleted later', wanted(ON_START), undefined, 'synced', 'none'],
  ['a custom group', wanted(ALWAYS), undefined, '', 'create'],
  ['a custom group whose APIService was deleted', wanted(ALWAYS), undefined, 'synced', 'create'],
  ['somebody else has the name', wanted(ALWAYS), current(), 'there', 'none'],
  ['somebody else has the name, nothing wanted', undefined, current(), 'there', 'none'],
  ['another server registered it meanwhile', undefined, current(ON_START), '', 'none'],
  ['a group that is no longer built in', undefined, current(ON_START), 'there', 'delete'],
  ['the same, a second time', undefined, current(ON_START), 'there synced', 'none'],
  ['a priority of an older release', wanted(ON_START), current(ON_START), 'there', 'update'],
  [
    'a priority that somebody changed while it runs',
    wanted(ON_START),
    current(ON_START),
    'there synced',
    'none',
  ],
  ['a custom group that is gone', undefined, current(ALWAYS), 'synced', 'delete'],
  ['a custom group that was changed', wanted(ALWAYS), current(ALWAYS), 'synced', 'update'],
  ['a custom group as it should be', wanted(ALWAYS), current(ALWAYS, SPEC), 'synced', 'none'],
  ['a custom group that became built in', wanted(ON_START), current(ALWAYS), 'there', 'update'],
];

test('registration: what another server does in the place of this one is left to it', () => {
  const replaced = current(ON_START);
  const service = {
    ...replaced,
    spec: { ...OTHER, service: { namespace: 'kube-system', name: 'metrics-server' } },
  };
  const state = { current: service, isSynced: false, wasThere: true };
  assert.equal(planRegistration({ ...state, wanted: { ...wanted(ON_START), isReplaceable: true } }), 'none');
  assert.equal(planRegistration({ ...state, wanted: wanted(ON_START) }), 'update');
});

for (const [name, one, there, states, step] of rows)
  test(`registration: ${name}: ${step}`, () => {
    const state = { isSynced: states.includes('synced'), wasThere: states.includes('there') };
    assert.equal(planRegistration({ wanted: one, current: there, ...state }), step);
  });
