// Webhooks as values: their types, their names, and what is made from them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ConfigMap, Node } from '@windlass/apimachinery/api/core/v1';
import { customResourceDefinition, defineResource, fields } from '@windlass/codegen';
import { caBundleTargets, webhookConfigurations, webhookService, withConversion } from './configurations.ts';
import { mutate, validate } from './declaration.ts';
import { convert } from './declared-conversion.ts';
import { deny, RefusedError, refuse, toldOf, warn } from './findings.ts';
import { webhooksIn } from './webhooks-in.ts';

const version = <const V extends string>(name: V) =>
  defineResource({
    group: 'example.com',
    version: name,
    kind: 'Page',
    spec: fields.object({ size: fields.enum(['a4', 'a5']), copies: fields.integer({ default: 1 }) }),
  });
const [Page, PageV1, PageV2] = [version('v3'), version('v1'), version('v2')];
const place = { name: 'pages', namespace: 'home' };

const check = validate(Page, () => {});
const keep = validate(Page, () => {}, { name: 'keep', operations: ['DELETE'] });
const fill = mutate(Page, () => {}, { reinvocationPolicy: 'IfNeeded', failurePolicy: 'Ignore' });
const same = { toHub: (page: object) => page, fromHub: (page: object) => page } as never;
const [fromV1, fromV2] = [convert(Page, PageV1, same), convert(Page, PageV2, same)];

describe('types', () => {
  it('are those of the kind and of the operation', () => {
    validate(Page, ({ object, oldObject, operation }) => {
      const copies: number = object.spec.copies;
      // @ts-expect-error a creation has no old object
      void oldObject.spec;
      if (operation === 'UPDATE') void oldObject.spec;
      // @ts-expect-error what was sent is not to be changed
      object.spec.copies = copies;
      // @ts-expect-error it was not asked for
      return operation === 'DELETE' ? warn('x') : undefined;
    });
    validate(Page, ({ object, oldObject }) => [object === null && oldObject.spec.copies > 1 && deny('x')], {
      operations: ['DELETE'],
    });
    // @ts-expect-error a text alone is neither a refusal nor a warning
    validate(Page, () => 'no');
    mutate(Page, (page) => ({ ...page, spec: { ...page.spec, size: page.spec.copies > 1 ? 'a4' : 'a5' } }));
    // @ts-expect-error the size is one of two
    mutate(Page, (page) => ({ ...page, spec: { size: 'a3' } }));
    // @ts-expect-error what is deleted cannot be changed
    mutate(Page, () => {}, { operations: ['DELETE'] });
    convert(Page, PageV1, {
      toHub: ({ spec }) => ({ spec: { size: spec.copies > 1 ? 'a4' : 'a5' } }),
      // @ts-expect-error the spec is required
      fromHub: () => ({}),
    });
  });
});

describe('configurations', () => {
  it('have one entry for each webhook, of the sort that it is', () => {
    const { validating, mutating } = webhookConfigurations([check, keep, fill, fromV1], place);
    const shown = (hooks: NonNullable<typeof validating>['webhooks'] = []) =>
      hooks.map(({ name, clientConfig, rules = [] }) => [
        name,
        clientConfig.service,
        rules.flatMap(({ operations = [] }) => operations),
      ]);
    const service = (path: string) => ({ name: 'pages-webhooks', namespace: 'home', path });
    assert.deepEqual(shown(validating?.webhooks), [
      ['validate.pages.example.com', service('/validate/example.com/v3/pages'), ['CREATE', 'UPDATE']],
      ['keep.pages.example.com', service('/keep/example.com/v3/pages'), ['DELETE']],
    ]);
    const [hook] = mutating?.webhooks ?? [];
    assert.deepEqual([hook?.reinvocationPolicy, hook?.failurePolicy], ['IfNeeded', 'Ignore']);
    assert.deepEqual(webhookConfigurations([fromV1], place), { mutating: undefined, validating: undefined });
  });

  it('are for objects of the whole cluster where the kind is', () => {
    const { validating } = webhookConfigurations([validate(Node, () => {})], place);
    assert.equal(validating?.webhooks?.[0]?.rules?.[0]?.scope, 'Cluster');
    assert.equal(validating?.webhooks?.[0]?.name, 'validate.nodes.core');
  });

  it('lead to the pods of the operator, by the port that these name', () => {
    assert.deepEqual(webhookService(place).spec, {
      selector: { 'app.kubernetes.io/name': 'pages' },
      ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }],
    });
  });

  it('of a definition are there if one of its versions is converted', () => {
    const definition: CustomResourceDefinition = customResourceDefinition(Page, PageV1, PageV2);
    const { conversion } = withConversion(definition, [check, fromV1, fromV2], place).spec;
    assert.equal(conversion?.webhook?.clientConfig?.service?.path, '/convert/example.com/pages');
    assert.equal(withConversion(definition, [check], place), definition);
  });

  it('that must trust the operator are named once', () => {
    assert.deepEqual(caBundleTargets([check, keep, fromV1, fromV2], 'pages'), {
      validating: ['pages'],
      mutating: [],
      conversion: ['pages.example.com'],
    });
  });
});

describe('what is exported', () => {
  it('is found, alone and in lists, each once', () => {
    const exports = { check, all: [check, fromV1], name: 'pages', Page, nothing: null };
    assert.deepEqual(webhooksIn(exports), [check, fromV1]);
  });
});

describe('a refusal', () => {
  it('has the path of a field, with or without the first dot, and the value if that is given', () => {
    const refused = refuse('.spec.size', 'must be a4', { value: 'a3' });
    assert.ok(refused instanceof RefusedError);
    assert.equal(refused.message, 'spec.size: Invalid value: "a3": must be a4');
    assert.equal(refuse('spec.size', 'must be a4').message, 'spec.size: Invalid value: must be a4');
  });

  it('may be left out of a list, also for a kind of Kubernetes', async () => {
    const webhook = validate(ConfigMap, ({ object }) => [false, null, undefined, warn(object.metadata.name)]);
    const request = {
      uid: 'u',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      operation: 'CREATE' as const,
      userInfo: {},
      object: { metadata: { name: 'a' } },
      oldObject: null,
    };
    const answer = await webhook.admit(request, new AbortController().signal);
    assert.deepEqual(answer, { uid: 'u', allowed: true, warnings: ['a'] });
  });

  it('has nothing of what Node advises about certificates', () => {
    const problem = 'unable to verify the first certificate';
    const hint = 'if the root CA is installed locally, try running Node.js with --use-system-ca';
    assert.equal(toldOf(new Error(`${problem}; ${hint}`)), problem);
  });
});
