import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Schema } from '@windlass/apimachinery';
import { CustomApi, causesOf, conditionOf, definition, object, pathOf } from './testing/custom-api.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        color: { type: 'string', enum: ['red', 'green'], default: 'red' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        replicas: { type: 'integer', default: 1 },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { type: 'integer' } },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        when: { type: 'string', format: 'date-time' },
        percent: { 'x-kubernetes-int-or-string': true },
      },
    },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, phase: { type: 'string' } },
    },
  },
};

const SUBRESOURCES = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
};

async function open(): Promise<CustomApi> {
  const api = new CustomApi();
  await api.define(definition({ schema: SCHEMA, version: { subresources: SUBRESOURCES } }));
  return api;
}

describe('a custom resource', () => {
  it('can be used as soon as its definition is established', async () => {
    await using api = await open();
    const made = await api.must(201, api.call('POST', pathOf(), object('a', { spec: { size: 3 } })));
    assert.deepEqual(made['spec'], { size: 3, color: 'red', replicas: 1 });
    assert.equal((made['metadata'] as { generation: number }).generation, 1);
    const list = await api.must(200, api.call('GET', pathOf()));
    assert.equal(list['kind'], 'WidgetList');
    assert.equal((list['items'] as unknown[]).length, 1);
  });

  it('loses fields that its schema does not name, and the client is told', async () => {
    await using api = await open();
    const body = object('a', { spec: { size: 3, nope: 1, free: { any: { thing: [1] } } }, other: true });
    const answer = await api.call('POST', pathOf(), body);
    assert.equal(answer.status, 201);
    assert.deepEqual((answer.body as { spec: object }).spec, {
      size: 3,
      color: 'red',
      replicas: 1,
      free: { any: { thing: [1] } },
    });
    assert.equal(
      answer.headers['warning'],
      '299 - "unknown field \\"other\\"", 299 - "unknown field \\"spec.nope\\""',
    );
    const strict = await api.must(400, api.call('POST', pathOf(), body, { fieldValidation: 'Strict' }));
    assert.equal(
      strict['message'],
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "other", unknown field "spec.nope"',
    );
  });

  const refused: [name: string, spec: object, causes: string[]][] = [
    [
      'a type',
      { size: 'x' },
      ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
    ],
    [
      'a minimum',
      { size: 0 },
      ['spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
    ],
    [
      'a maximum',
      { size: 11 },
      ['spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    ],
    [
      'an enum',
      { size: 1, color: 'blue' },
      ['spec.color: Unsupported value: "blue": supported values: "red", "green"'],
    ],
    ['what is required', {}, ['spec.size: Required value']],
    ['a set', { size: 1, tags: ['a', 'b', 'a'] }, ['spec.tags[2]: Duplicate value: "a"']],
    [
      'keys of a list',
      { size: 1, ports: [{ name: 'a' }, { name: 'a', port: 2 }] },
      ['spec.ports[1]: Duplicate value: {"name":"a"}'],
    ],
    [
      'a format',
      { size: 1, when: 'soon' },
      ['spec.when: Invalid value: "soon": spec.when in body must be of type date-time: "soon"'],
    ],
    [
      'an int-or-string',
      { size: 1, percent: true },
      [
        'spec.percent: Invalid value: "boolean": spec.percent in body must be of type integer,string: "boolean"',
      ],
    ],
    [
      'what scale shows',
      { size: 1, replicas: -1 },
      ['.spec.replicas: Invalid value: -1: should be a non-negative integer'],
    ],
  ];
  for (const [name, spec, causes] of refused) {
    it(`is refused when ${name} is not kept to`, async () => {
      await using api = await open();
      const body = await api.must(422, api.call('POST', pathOf(), object('a', { spec })));
      assert.equal(body['reason'], 'Invalid');
      assert.deepEqual(causesOf(body), causes);
    });
  }

  it('has its status written apart', async () => {
    await using api = await open();
    const made = await api.must(
      201,
      api.call('POST', pathOf(), object('a', { spec: { size: 3 }, status: { phase: 'Mine' } })),
    );
    assert.equal(made['status'], undefined);
    const body = { ...made, spec: { size: 9 }, status: { phase: 'Ready' } };
    const updated = await api.must(200, api.call('PUT', `${pathOf()}/a/status`, body));
    assert.deepEqual(updated['status'], { phase: 'Ready' });
    assert.equal((updated['spec'] as { size: number }).size, 3);
    assert.equal((updated['metadata'] as { generation: number }).generation, 1);
    const bad = await api.must(
      422,
      api.patch('merge-patch+json', `${pathOf()}/a/status`, { status: { phase: 1 } }),
    );
    assert.deepEqual(causesOf(bad), [
      'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
    ]);
  });

  it('counts generations of all but its status and metadata', async () => {
    await using api = await open();
    await api.must(201, api.call('POST', pathOf(), object('a', { spec: { size: 3 } })));
    const labelled = await api.must(
      200,
      api.patch('merge-patch+json', `${pathOf()}/a`, { metadata: { labels: { a: 'b' } } }),
    );
    assert.equal((labelled['metadata'] as { generation: number }).generation, 1);
    const grown = await api.must(200, api.patch('merge-patch+json', `${pathOf()}/a`, { spec: { size: 4 } }));
    assert.equal((grown['metadata'] as { generation: number }).generation, 2);
  });

  it('can be scaled', async () => {
    await using api = await open();
    await api.must(201, api.call('POST', pathOf(), object('a', { spec: { size: 3 } })));
    const status = { status: { replicas: 2, selector: 'a=b' } };
    await api.must(200, api.patch('merge-patch+json', `${pathOf()}/a/status`, status));
    const scale = await api.must(200, api.call('GET', `${pathOf()}/a/scale`));
    assert.deepEqual([scale['spec'], scale['status']], [{ replicas: 1 }, { replicas: 2, selector: 'a=b' }]);
    await api.must(200, api.patch('merge-patch+json', `${pathOf()}/a/scale`, { spec: { replicas: 5 } }));
    const read = await api.must(200, api.call('GET', `${pathOf()}/a`));
    assert.equal((read['spec'] as { replicas: number }).replicas, 5);
  });

  it('shows the selector of its scale as it is', async () => {
    await using api = await open();
    await api.must(201, api.call('POST', pathOf(), object('a', { spec: { size: 3 } })));
    for (const selector of ['b in (c),a=b', 'x'.repeat(64)]) {
      await api.must(200, api.patch('merge-patch+json', `${pathOf()}/a/status`, { status: { selector } }));
      const scale = await api.must(200, api.call('GET', `${pathOf()}/a/scale`));
      assert.deepEqual(scale['status'], { replicas: 0, selector });
    }
  });

  it('is applied by the types of its lists', async () => {
    await using api = await open();
    const apply = (manager: string, ports: object[]): Promise<unknown> =>
      api.must(
        manager === 'one' ? 201 : 200,
        api.patch('apply-patch+yaml', `${pathOf()}/a`, object('a', { spec: { size: 1, ports } }), {
          fieldManager: manager,
        }),
      );
    await apply('one', [{ name: 'x', port: 1 }]);
    await apply('two', [{ name: 'y', port: 2 }]);
    const read = await api.must(200, api.call('GET', `${pathOf()}/a`));
    assert.deepEqual((read['spec'] as { ports: object[] }).ports, [
      { name: 'x', port: 1 },
      { name: 'y', port: 2 },
    ]);
  });

  it('tolerates on update what was wrong before and stays as it is', async () => {
    await using api = await open();
    await api.must(201, api.call('POST', pathOf(), object('a', { spec: { size: 3 } })));
    const path = `${DEFINITIONS}/widgets.test.windlass.dev`;
    const narrowed = [
      {
        op: 'replace',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum',
        value: 2,
      },
    ];
    await api.must(200, api.patch('json-patch+json', path, narrowed));
    const kept = await api.must(
      200,
      api.patch('merge-patch+json', `${pathOf()}/a`, { spec: { color: 'green' } }),
    );
    assert.deepEqual(kept['spec'], { size: 3, color: 'green', replicas: 1 });
    const changed = await api.must(
      422,
      api.patch('merge-patch+json', `${pathOf()}/a`, { spec: { size: 4 } }),
    );
    assert.deepEqual(causesOf(changed), [
      'spec.size: Invalid value: 4: spec.size in body should be less than or equal to 2',
    ]);
  });

  it('shows defaults that came after it was written', async () => {
    await using api = await open();
    await api.must(201, api.call('POST', pathOf(), object('a', { spec: { size: 3 } })));
    const added = [
      {
        op: 'add',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/late',
        value: { type: 'string', default: 'x' },
      },
    ];
    await api.must(200, api.patch('json-patch+json', `${DEFINITIONS}/widgets.test.windlass.dev`, added));
    const read = await api.must(200, api.call('GET', `${pathOf()}/a`));
    assert.deepEqual(read['spec'], { size: 3, color: 'red', replicas: 1, late: 'x' });
  });
});

describe('versions', () => {
  it('share what is stored, each under its own name', async () => {
    await using api = new CustomApi();
    const schema: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await api.define(
      definition({
        schema,
        spec: {
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
            { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: schema } },
            { name: 'v3', served: false, storage: false, schema: { openAPIV3Schema: schema } },
          ],
        },
      }),
    );
    const made = await api.must(
      201,
      api.call('POST', pathOf('Widget', 'v2'), object('a', { a: 1 }, 'Widget', 'v2')),
    );
    assert.equal(made['apiVersion'], 'test.windlass.dev/v2');
    const read = await api.must(200, api.call('GET', `${pathOf('Widget', 'v1')}/a`));
    assert.deepEqual([read['apiVersion'], read['a']], ['test.windlass.dev/v1', 1]);
    await api.must(404, api.call('GET', pathOf('Widget', 'v3')));
  });
});

describe('a definition', () => {
  it('whose names another has is not served until they are free', async () => {
    await using api = new CustomApi();
    await api.define(definition({ schema: SCHEMA, names: { shortNames: ['wd'] } }));
    const second = definition({ kind: 'Gadget', schema: SCHEMA, names: { shortNames: ['wd'] } });
    await api.must(201, api.call('POST', DEFINITIONS, second));
    const refused = await api.untilDefinition(
      'gadgets.test.windlass.dev',
      (state) => conditionOf(state, 'NamesAccepted') === 'False',
    );
    assert.equal(conditionOf(refused, 'Established'), 'False');
    await api.must(404, api.call('GET', pathOf('Gadget')));
    await api.must(200, api.call('DELETE', `${DEFINITIONS}/widgets.test.windlass.dev`));
    await api.untilDefinition(
      'gadgets.test.windlass.dev',
      (state) => conditionOf(state, 'Established') === 'True',
    );
    await api.must(200, api.call('GET', pathOf('Gadget')));
  });

  it('goes with its instances, and takes no new ones meanwhile', async () => {
    await using api = await open();
    const held = object('a', { spec: { size: 1 } });
    held['metadata'] = { name: 'a', finalizers: ['test.windlass.dev/hold'] };
    await api.must(201, api.call('POST', pathOf(), held));
    await api.must(201, api.call('POST', pathOf(), object('b', { spec: { size: 1 } })));
    const name = 'widgets.test.windlass.dev';
    await api.must(200, api.call('DELETE', `${DEFINITIONS}/${name}`));
    await api.untilDefinition(name, (state) => conditionOf(state, 'Terminating') === 'True');
    const refused = await api.must(403, api.call('POST', pathOf(), object('c', { spec: { size: 1 } })));
    assert.equal(
      refused['message'],
      'widgets.test.windlass.dev "c" is forbidden: create not allowed while custom resource definition is terminating',
    );
    await api.must(200, api.patch('merge-patch+json', `${pathOf()}/a`, { metadata: { finalizers: null } }));
    for (;;) {
      if ((await api.call('GET', `${DEFINITIONS}/${name}`)).status === 404) break;
      await setImmediate();
    }
    await setImmediate();
    await api.must(404, api.call('GET', pathOf()));
  });

  const invalid: [name: string, change: (spec: Record<string, unknown>) => void, causes: string[]][] = [
    [
      'no storage version',
      (spec) => Object.assign((spec['versions'] as object[])[0] ?? {}, { storage: false }),
      [
        'spec.versions: Invalid value: [',
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    ],
    [
      'an unknown scope',
      (spec) => Object.assign(spec, { scope: 'World' }),
      ['spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'],
    ],
    [
      'a schema without types',
      (spec) =>
        Object.assign((spec['versions'] as object[])[0] ?? {}, {
          schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
        }),
      [
        'spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
      ],
    ],
    [
      'a default that its schema refuses',
      (spec) =>
        Object.assign((spec['versions'] as object[])[0] ?? {}, {
          schema: {
            openAPIV3Schema: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } },
          },
        }),
      ['spec.validation.openAPIV3Schema.properties[a].default: Invalid value: "string": '],
    ],
  ];
  for (const [name, change, causes] of invalid) {
    it(`is refused with ${name}`, async () => {
      await using api = new CustomApi();
      const crd = definition({ schema: SCHEMA });
      change(crd['spec'] as Record<string, unknown>);
      const body = await api.must(422, api.call('POST', DEFINITIONS, crd));
      const found = causesOf(body);
      assert.equal(found.length, causes.length, JSON.stringify(found));
      for (const [index, cause] of causes.entries())
        assert.ok(found[index]?.startsWith(cause) === true, String(found[index]));
    });
  }
});
