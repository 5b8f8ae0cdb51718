// Webhooks bound to a kind: asked alone, and by an API server in this process.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import { createClient } from '@windlass/client';
import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';
import { convert, deny, mutate, refuse, validate, warn } from '@windlass/runtime';
import { startCluster } from '../start-cluster.ts';
import { startTestCluster } from './test-cluster.ts';
import { testWebhooks } from './test-webhooks.ts';

const Page = defineResource({
  group: 'pages.example.com',
  version: 'v1',
  kind: 'Page',
  spec: fields.object({
    text: fields.string(),
    copies: fields.integer({ default: 1 }),
    layout: fields.optional(fields.enum(['wide', 'narrow'])),
  }),
});
const OldPage = defineResource({
  group: 'pages.example.com',
  version: 'v1beta1',
  kind: 'Page',
  spec: fields.object({ body: fields.string(), copies: fields.integer({ default: 1 }) }),
});
type Page = ObjectOfKind<typeof Page>;

const check = validate(Page, ({ operation, object, oldObject }) => [
  object.spec.copies > 50 && warn('more than 50 copies are slow'),
  object.spec.text.includes('<script') && refuse('spec.text', 'must not have scripts; remove <script>'),
  object.spec.copies > 100 && refuse('.spec.copies', 'must be at most 100', { value: object.spec.copies }),
  operation === 'UPDATE' &&
    object.spec.copies < oldObject.spec.copies &&
    refuse('spec.copies', 'must not shrink', { type: 'FieldValueForbidden' }),
]);
const keep = validate(
  Page,
  ({ oldObject, userInfo }) => {
    if (userInfo.username === 'jane' && oldObject.spec.copies > 1)
      throw deny('jane may not delete it; ask an administrator');
  },
  { name: 'keep', operations: ['DELETE'] },
);
const trim = mutate(Page, (page) => ({
  ...page,
  spec: { ...page.spec, text: page.spec.text.trim(), layout: page.spec.copies > 9 ? 'wide' : 'narrow' },
}));
const versions = convert(Page, OldPage, {
  toHub: ({ spec: { body, copies } }) => {
    if (body === 'lost') throw new RangeError('spec.body is lost');
    return { spec: { text: body, copies } };
  },
  fromHub: ({ spec: { text, copies } }) => ({ spec: { body: text, copies } }),
});
const webhooks = [check, keep, trim, versions];

const page = (spec: Page['spec']): Page => ({ metadata: { name: 'a' }, spec });

describe('webhooks that are asked alone', () => {
  const asked = testWebhooks(webhooks);

  it('change, warn and allow', async () => {
    assert.deepEqual(await asked.create(Page, page({ text: ' hi ', copies: 60 })), {
      allowed: true,
      message: '',
      code: 200,
      causes: [],
      warnings: ['more than 50 copies are slow'],
      patch: [
        { op: 'replace', path: '/spec/text', value: 'hi' },
        { op: 'add', path: '/spec/layout', value: 'wide' },
      ],
      object: {
        apiVersion: 'pages.example.com/v1',
        kind: 'Page',
        ...page({ text: 'hi', copies: 60, layout: 'wide' }),
      },
    });
  });

  it('refuse with every field that is wrong, in the words of an API server', async () => {
    const verdict = await asked.create(Page, page({ text: '<script>', copies: 101 }));
    assert.equal(
      verdict.message,
      'admission webhook "validate.pages.pages.example.com" denied the request: Page.pages.example.com "a" is invalid: [spec.text: Invalid value: must not have scripts; remove <script>, spec.copies: Invalid value: 101: must be at most 100]',
    );
    assert.deepEqual([verdict.allowed, verdict.code], [false, 422]);
    assert.deepEqual(
      verdict.causes.map(({ field }) => field),
      ['spec.text', 'spec.copies'],
    );
    assert.deepEqual(verdict.warnings, ['more than 50 copies are slow']);
  });

  it('see the old object of an update, and who deletes', async () => {
    const [few, many] = [page({ text: 'x', copies: 1 }), page({ text: 'x', copies: 2 })];
    assert.ok((await asked.update(Page, { from: few, to: many })).allowed);
    assert.match(
      (await asked.update(Page, { from: many, to: few })).message,
      /spec\.copies: Forbidden: must not shrink/,
    );
    assert.ok((await asked.delete(Page, many)).allowed);
    const denied = await asked.delete(Page, many, { user: { username: 'jane' } });
    assert.equal(denied.code, 403);
    assert.match(
      denied.message,
      /^admission webhook "keep\.pages\.pages\.example\.com" denied .*ask an administrator$/,
    );
  });

  it('say when they themselves failed', async () => {
    const broken = testWebhooks([
      validate(Page, () => {
        throw new TypeError('no luck');
      }),
    ]);
    const verdict = await broken.create(Page, page({ text: 'x' }));
    assert.equal(verdict.code, 500);
    assert.match(verdict.message, /the webhook failed: no luck; the log of the operator says more/);
  });

  it('convert, and keep the metadata', async () => {
    const old = { metadata: { name: 'a', labels: { x: 'y' } }, spec: { body: 'hi', copies: 3 } };
    const made = await asked.convert(OldPage, old, Page);
    assert.deepEqual(made, {
      apiVersion: 'pages.example.com/v1',
      kind: 'Page',
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: { text: 'hi', copies: 3 },
    });
    assert.deepEqual((await asked.convert(Page, made, OldPage)).spec, old.spec);
    await assert.rejects(
      asked.convert(OldPage, { ...old, spec: { body: 'lost' } }, Page),
      /Page \/a cannot be converted from pages\.example\.com\/v1beta1 to pages\.example\.com\/v1: spec\.body is lost/,
    );
  });

  it('must be about the kind, and tell themselves apart', async () => {
    await assert.rejects(
      testWebhooks([versions]).create(Page, page({ text: 'x' })),
      /a kind that one of the webhooks/,
    );
    assert.throws(() => testWebhooks([check, check]), /unlike that of every other webhook/);
    assert.throws(() => convert(Page, Page, { toHub: (same) => same, fromHub: (same) => same }), {
      message: /another version than the hub/,
    });
    assert.throws(() => validate(Page, () => {}, { timeoutSeconds: 31 }), /timeoutSeconds/);
    assert.throws(() => validate(Page, () => {}, { name: 'No' }), /lower-case letters/);
    assert.throws(() => refuse('', 'x'), /the path of a field/);
  });
});

describe('webhooks that an API server asks in its own process', () => {
  const definitions = [customResourceDefinition(Page, OldPage)];

  it('change, refuse and convert what clients send, in either version', async () => {
    await using cluster = await startTestCluster({ definitions, webhooks });
    const pages = cluster.client.resource(Page).namespace('default');
    const olds = cluster.client.resource(OldPage).namespace('default');
    const made = await olds.create({ metadata: { name: 'a' }, spec: { body: ' hi ', copies: 2 } });
    assert.deepEqual(made.spec, { body: 'hi', copies: 2 });
    // The older version has no layout, so what the webhook set was lost on the way back.
    assert.deepEqual((await pages.get('a')).spec, { text: 'hi', copies: 2 });
    const error = await olds.create({ metadata: { name: 'b' }, spec: { body: '<script>' } }).then(
      () => assert.fail('it was allowed'),
      (thrown: unknown) =>
        thrown as KubeObject & { message: string; status: { details: { causes: unknown[] } } },
    );
    assert.match(
      error.message,
      /^admission webhook "validate\.pages\.pages\.example\.com" denied the request: Page/,
    );
    assert.deepEqual(error.status.details.causes, [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: must not have scripts; remove <script>',
        field: 'spec.text',
      },
    ]);
  });

  it('also in a whole cluster', async () => {
    await using cluster = await startCluster({ definitions, webhooks });
    await using client = createClient({ transport: cluster.transport() });
    const pages = client.resource(Page).namespace('default');
    await assert.rejects(pages.create(page({ text: '<script>' })), /must not have scripts/);
    await pages.create(page({ text: ' hi ' }));
    assert.equal((await client.resource(OldPage).namespace('default').get('a')).spec.body, 'hi');
  });
});
