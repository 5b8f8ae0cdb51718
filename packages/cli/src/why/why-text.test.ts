import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventItem, ObjectDetail, RunDetail } from '@windlass/console';
import { whyText } from './why-text.ts';

const NOW = 1_000_000;

const object: ObjectDetail = {
  resource: 'deployments.apps',
  kind: 'Deployment',
  key: 'default/web',
  yaml: '',
  exists: true,
  history: [
    { resourceVersion: '7', at: NOW - 9000, by: 'kubectl', deleted: false, yaml: '', diff: [] },
    {
      resourceVersion: '9',
      at: NOW - 1500,
      by: 'kube-controller-manager (status)',
      deleted: false,
      yaml: '',
      diff: [{ path: 'status.readyReplicas', before: '2', after: '3' }],
    },
  ],
};

const run: RunDetail = {
  id: 4,
  controller: 'deployment-controller',
  key: 'default/web',
  at: NOW - 2000,
  waitedMs: 1,
  tookMs: 4.4,
  result: 'error',
  error: 'no luck',
  againInMs: 5000,
  reason: 'update of replicasets.apps default/web-1 at 8',
  reasonCount: 3,
  writeCount: 1,
  wokeItself: true,
  reasons: ['update of replicasets.apps default/web-1 at 8'],
  reads: [],
  writes: [
    {
      verb: 'update',
      resource: 'deployments.apps/status',
      key: 'default/web',
      tookMs: 2,
      status: 409,
      error: 'the object has been modified',
      diff: [],
    },
    {
      verb: 'patch',
      resource: 'deployments.apps',
      key: 'default/web',
      tookMs: 2,
      status: 200,
      error: undefined,
      diff: [],
      isForgotten: true,
    },
  ],
};

const event: EventItem = {
  kind: 'Event',
  key: 'default/web.1',
  uid: 'u',
  createdAt: NOW - 60_000,
  isWarning: true,
  reason: 'Failed',
  message: 'first\n  second',
  about: 'Deployment default/web',
  aboutKind: 'Deployment',
  aboutKey: 'default/web',
  by: 'deployment-controller',
  count: 2,
  lastAt: NOW - 30_000,
};

test('the newest comes first, with reasons, writes and what they changed', () => {
  assert.equal(
    whyText({ object, runs: [run], events: [event] }, NOW),
    `Deployment default/web

Runs
  2.0 s ago  deployment-controller default/web: error after 4 ms, again in 5.0 s
    because  update of replicasets.apps default/web-1 at 8
    because  of 2 more
    because  of what the run before it wrote
    failed   no luck
    wrote    update deployments.apps/status default/web: 409, the object has been modified
    wrote    patch deployments.apps default/web
               what differed is no longer kept

Changes
  1.5 s ago  version 9, by kube-controller-manager (status)
      status.readyReplicas: 2 → 3
  9.0 s ago  version 7, by kubectl

Events
  30 s ago  Warning  Failed: first second (2 times), by deployment-controller
`,
  );
});

test('what there is none of is said', () => {
  assert.equal(
    whyText({ object: { ...object, exists: false, history: [] }, runs: [], events: [] }, NOW),
    `Deployment default/web, which is gone

Runs
  none of the last runs was for it or because of it

Changes
  the server has forgotten them

Events
  none
`,
  );
});

test('of many the newest are shown, and it is said how many there are', () => {
  const text = whyText({ object, runs: Array.from({ length: 25 }, () => run), events: [] }, NOW);
  assert.match(text, /Runs, the newest 10 of 25/);
  assert.equal(text.match(/deployment-controller default\/web/g)?.length, 10);
});
