import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { recordAccess, startTestCluster, testWebhooks } from '@windlass/cluster/testing';
import { definitions, register, webhooks } from './operator.ts';
import { Website, WebsiteV1Alpha1 } from './website.ts';

const access = recordAccess({ definitions, folder: new URL('.windlass/access/', import.meta.url) });
const asked = testWebhooks(webhooks);
const site = (spec: Website['spec']): Website => ({ metadata: { name: 'hello' }, spec });

const rows: readonly [what: string, spec: Website['spec'], message: string][] = [
  ['a page', { text: 'Hello!' }, ''],
  ['a script', { text: '<script>' }, 'spec.text: Invalid value: must not have scripts; remove <script>'],
  [
    'a public site without servers',
    { text: 'x', isPublic: true, replicas: 0 },
    'spec.replicas: Invalid value: 0: must be at least 1 for a public site; raise it, or set isPublic to false',
  ],
];
for (const [what, spec, message] of rows)
  test(`${what} is ${message === '' ? 'allowed' : 'refused'}`, async () => {
    const verdict = await asked.create(Website, site(spec));
    assert.equal(
      verdict.message,
      message === ''
        ? ''
        : `admission webhook "validate.websites.websites.example.com" denied the request: Website.websites.example.com "hello" is invalid: ${message}`,
    );
  });

test('many servers are worth a warning, and spaces nothing', async () => {
  const { warnings, object } = await asked.create(Website, site({ text: ' Hello! ', replicas: 21 }));
  assert.deepEqual(warnings, ['more than 20 servers take a while to start']);
  assert.equal(object.spec.text, 'Hello!');
});

test('a public site is not deleted by mistake', async () => {
  const denied = await asked.delete(Website, site({ text: 'x', isPublic: true }));
  assert.equal(denied.code, 403);
  assert.match(denied.message, /it is public; set spec\.isPublic to false first$/);
  assert.ok((await asked.delete(Website, site({ text: 'x', isPublic: false }))).allowed);
});

test('nothing is lost on the way to the other version and back', async () => {
  for (const isPublic of [true, false]) {
    const there = await asked.convert(Website, site({ text: 'x', replicas: 3, isPublic }), WebsiteV1Alpha1);
    const back = await asked.convert(WebsiteV1Alpha1, there, Website);
    assert.deepEqual(back.spec, { text: 'x', replicas: 3, isPublic });
  }
});

test('a site of the first version has children too', async () => {
  await using cluster = await startTestCluster({ definitions, webhooks });
  const { manager } = cluster.manager({ through: access.through });
  register(manager);
  await manager.start();
  const old = cluster.client.resource(WebsiteV1Alpha1).namespace('default');
  await old.create({ metadata: { name: 'old' }, spec: { html: ' Hi ', servers: 2 } });
  await cluster.settled();
  const page = await cluster.client.resource(ConfigMap).namespace('default').get('old-page');
  assert.deepEqual(page.data, { 'index.html': 'Hi' });
  const { status } = await old.get('old');
  assert.equal(findCondition(status?.conditions, 'Progressing')?.status, 'True');
});
