import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { cellsOf } from '../../testing/cells.ts';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';
import { resourceClaim } from './index.ts';

const api = new KindApi();
before(() => api.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } }));
const PATH = inDefault('resource.k8s.io/v1/resourceclaims');
const REQUEST = 'spec.devices.requests[0]';
const exactly = { deviceClassName: 'gpu' };
const requestOf = (more: Json) => ({ requests: [{ name: 'a', exactly: { ...exactly, ...more } }] });

describe('what a new claim leaves out', () => {
  it('is one device of each request', async () => {
    const { spec } = await api.defaulted<ResourceClaim>(PATH, {
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: { ...exactly, tolerations: [{ key: 'k', value: 'v' }] } },
            { name: 'b', exactly: { ...exactly, allocationMode: 'All' } },
            { name: 'c', firstAvailable: [{ name: 'd', ...exactly }] },
          ],
        },
      },
    });
    const one = { ...exactly, allocationMode: 'ExactCount', count: 1 };
    assert.deepEqual(spec.devices?.requests, [
      { name: 'a', exactly: { ...one, tolerations: [{ key: 'k', operator: 'Equal', value: 'v' }] } },
      { name: 'b', exactly: { ...exactly, allocationMode: 'All' } },
      { name: 'c', firstAvailable: [{ name: 'd', ...one }] },
    ]);
  });
});

describe('a new claim', () => {
  const label =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  const oneOf = 'exactly one of `exactly` or `firstAvailable` is required';
  const reference =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const alternatives = { requests: [{ name: 'a', firstAvailable: [{ name: 'b', ...exactly }] }] };
  testRefusals(api, PATH, (devices) => ({ spec: { devices } }), [
    ['may ask for nothing', {}, []],
    ['may ask for devices of a class', requestOf({}), []],
    ['may give alternatives', alternatives, []],
    [
      'says for each request what it is',
      { requests: [{ name: 'a' }] },
      [`${REQUEST}: Required value: ${oneOf}`],
    ],
    [
      'says only one thing for each request',
      { requests: [{ name: 'a', exactly, firstAvailable: [{ name: 'b', ...exactly }] }] },
      [`${REQUEST}: Invalid value: null: ${oneOf}, but multiple fields are set`],
    ],
    [
      'names its requests',
      { requests: [{ name: 'A', exactly }] },
      [`${REQUEST}.name: Invalid value: "A": ${label}`],
    ],
    [
      'names each request once',
      {
        requests: [
          { name: 'a', exactly },
          { name: 'a', exactly },
        ],
      },
      ['spec.devices.requests[1]: Duplicate value: "a"'],
    ],
    [
      'has no more requests than are allowed',
      { requests: Array.from({ length: 33 }, (_, index) => ({ name: `r${index}`, exactly })) },
      ['spec.devices.requests: Too many: 33: must have at most 32 items'],
    ],
    [
      'has no more alternatives than are allowed',
      {
        requests: [
          {
            name: 'a',
            firstAvailable: Array.from({ length: 9 }, (_, index) => ({ name: `r${index}`, ...exactly })),
          },
        ],
      },
      [`${REQUEST}.firstAvailable: Too many: 9: must have at most 8 items`],
    ],
    [
      'names a class',
      requestOf({ deviceClassName: '' }),
      [`${REQUEST}.exactly.deviceClassName: Required value`],
    ],
    [
      'asks for at least one device',
      requestOf({ count: -1 }),
      [`${REQUEST}.exactly.count: Invalid value: -1: must be greater than zero`],
    ],
    [
      'asks for all devices without a number',
      requestOf({ allocationMode: 'All', count: 2 }),
      [`${REQUEST}.exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'`],
    ],
    [
      'asks in a way that is known',
      requestOf({ allocationMode: 'Some' }),
      [`${REQUEST}.exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"`],
    ],
    [
      'selects by expressions',
      requestOf({ selectors: [{ cel: { expression: 'device.driver' } }] }),
      [
        `${REQUEST}.exactly.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string`,
      ],
    ],
    [
      'tolerates in a way that is known',
      requestOf({
        tolerations: [
          { operator: 'Exists', value: 'v' },
          { operator: 'Near', effect: 'Maybe' },
        ],
      }),
      [
        `${REQUEST}.exactly.tolerations[0].value: Invalid value: "v": must be empty for operator \`Exists\``,
        `${REQUEST}.exactly.tolerations[1].operator: Unsupported value: "Near": supported values: "Equal", "Exists"`,
        `${REQUEST}.exactly.tolerations[1].effect: Unsupported value: "Maybe": supported values: "NoExecute", "NoSchedule", "None"`,
      ],
    ],
    [
      'may constrain its requests and their alternatives',
      {
        ...alternatives,
        constraints: [{ matchAttribute: 'example.com/numa', requests: ['a', 'a/b'] }],
        config: [{ requests: ['a/b'], opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
      },
      [],
    ],
    [
      'constrains requests that it has',
      { ...alternatives, constraints: [{ matchAttribute: 'example.com/numa', requests: ['b', 'a/c'] }] },
      [
        `spec.devices.constraints[0].requests[0]: Invalid value: "b": ${reference}`,
        `spec.devices.constraints[0].requests[1]: Invalid value: "a/c": ${reference}`,
      ],
    ],
    [
      'constrains by an attribute with its domain',
      { constraints: [{ distinctAttribute: 'numa' }, {}] },
      [
        'spec.devices.constraints[0].distinctAttribute: Invalid value: "numa": a fully qualified name must be a domain and a name separated by a slash',
        'spec.devices.constraints[1]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
      ],
    ],
    ['configures drivers', { config: [{}] }, ['spec.devices.config[0].opaque: Required value']],
  ]);
});

describe('a claim that is there', () => {
  it('keeps its spec', async () => {
    const path = await api.create(PATH, { spec: { devices: requestOf({}) } });
    const [refusal, ...more] = await api.changeRefusals(path, { spec: { devices: { requests: [] } } });
    assert.match(refusal ?? '', /^spec: Invalid value: .*: field is immutable$/);
    assert.deepEqual(more, []);
    await api.change(path, { metadata: { labels: { a: 'b' } } });
  });

  for (const [state, object] of [
    ['pending', {}],
    ['deleted', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    ['allocated', { status: { allocation: {} } }],
    ['allocated,reserved', { status: { allocation: {}, reservedFor: [{}] } }],
    [
      'deleted,allocated',
      { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, status: { allocation: {} } },
    ],
  ] as const)
    it(`is shown as ${state}`, () => assert.equal(cellsOf(resourceClaim, object)['State'], state));
});
