import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const PATH = '/apis/resource.k8s.io/v1/deviceclasses';
const selectorOf = (expression: string) => ({ cel: { expression } });
const configOf = (parameters: unknown) => ({ opaque: { driver: 'gpu.example.com', parameters } });
const EXPRESSION = 'spec.selectors[0].cel.expression';

describe('a new device class', () => {
  testRefusals(api, PATH, (spec) => ({ spec }), [
    ['may be empty', {}, []],
    [
      'may have selectors and parameters',
      {
        selectors: [selectorOf('device.driver == "gpu.example.com"')],
        config: [configOf({ kind: 'GpuConfig' })],
        extendedResourceName: 'example.com/gpu',
      },
      [],
    ],
    ['has selectors that say something', { selectors: [{}] }, ['spec.selectors[0].cel: Required value']],
    [
      'has selectors that are expressions',
      { selectors: [selectorOf('1')] },
      [`${EXPRESSION}: Invalid value: "1": must evaluate to bool or the unknown type, not int`],
    ],
    [
      'has selectors of a length that can be read',
      { selectors: [selectorOf(`${'a'.repeat(10 * 1024)}b`)] },
      [`${EXPRESSION}: Too long: may not be more than 10240 bytes`],
    ],
    [
      'has selectors that are done in time',
      {
        selectors: [
          selectorOf(
            'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a == "x"))))',
          ),
        ],
      },
      [`${EXPRESSION}: Forbidden: too complex, exceeds cost limit`],
    ],
    [
      'has no more selectors than are allowed',
      { selectors: Array.from({ length: 33 }, () => ({})) },
      ['spec.selectors: Too many: 33: must have at most 32 items'],
    ],
    ['has parameters of some driver', { config: [{}] }, ['spec.config[0].opaque: Required value']],
    [
      'names the driver of parameters, which are an object',
      { config: [{ opaque: { parameters: ['a'] } }] },
      [
        'spec.config[0].opaque.driver: Required value',
        'spec.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      ],
    ],
    [
      'has parameters that are not too long',
      { config: [configOf({ a: 'x'.repeat(10 * 1024) })] },
      ['spec.config[0].opaque.parameters: Too long: may not be more than 10240 bytes'],
    ],
    [
      'stands for a resource that is extended',
      { extendedResourceName: 'cpu' },
      ['spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name'],
    ],
  ]);
});

describe('a device class that is there', () => {
  it('may change, and counts its generations', async () => {
    const path = await api.create(PATH, { spec: {} });
    await api.change(path, { spec: { selectors: [selectorOf('true')] } });
    const { body } = await api.request('GET', path);
    assert.partialDeepStrictEqual(body, { metadata: { generation: 2 } });
    assert.deepEqual(await api.changeRefusals(path, { spec: { selectors: [{}] } }), [
      'spec.selectors[0].cel: Required value',
    ]);
  });
});
