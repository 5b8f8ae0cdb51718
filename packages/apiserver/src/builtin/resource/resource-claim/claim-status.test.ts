import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();
before(() => api.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } }));
const PATH = inDefault('resource.k8s.io/v1/resourceclaims');
const SPEC = { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu' } }] } };
const DEVICE = { driver: 'gpu.example.com', pool: 'node-1', device: 'gpu-0' };
const RESULT = { request: 'a', ...DEVICE };
const allocationOf = (more: Json = {}) => ({ devices: { results: [{ ...RESULT, ...more }] } });
const consumerOf = (uid: string) => ({ resource: 'pods', name: `pod-${uid}`, uid });
const RESULTS = 'status.allocation.devices.results[0]';

/** A claim with this status. */
async function claimWith(status: Json, metadata: Json = {}): Promise<string> {
  const path = await api.create(PATH, { metadata, spec: SPEC });
  await api.change(`${path}/status`, { status });
  return path;
}

const refusals = (path: string, status: Json): Promise<string[]> =>
  api.changeRefusals(`${path}/status`, { status });

describe('the first allocation of a claim', () => {
  const rows: readonly (readonly [rule: string, status: Json, refusals: readonly string[]])[] = [
    ['may have devices', { allocation: allocationOf() }, []],
    ['may be reserved', { allocation: allocationOf(), reservedFor: [consumerOf('1')] }, []],
    [
      'must be there to be reserved',
      { reservedFor: [consumerOf('1')] },
      ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
    ],
    [
      'is reserved for each consumer once, who has a name',
      { allocation: allocationOf(), reservedFor: [consumerOf('1'), consumerOf('1'), {}] },
      [
        'status.reservedFor[1]: Duplicate value: "1"',
        'status.reservedFor[2].name: Required value',
        'status.reservedFor[2].resource: Required value',
        'status.reservedFor[2].uid: Required value',
      ],
    ],
    [
      'is for at most 256 consumers',
      {
        allocation: allocationOf(),
        reservedFor: Array.from({ length: 257 }, (_, index) => consumerOf(String(index))),
      },
      ['status.reservedFor: Too many: 257: must have at most 256 items'],
    ],
    [
      'is of a request of the claim',
      { allocation: allocationOf({ request: 'b' }) },
      [
        `${RESULTS}.request: Invalid value: "b": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
      ],
    ],
    [
      'names a driver, a pool and a device',
      { allocation: allocationOf({ driver: '', pool: '' }) },
      [`${RESULTS}.driver: Required value`, `${RESULTS}.pool: Required value`],
    ],
    [
      'names its share as a UID',
      { allocation: allocationOf({ shareID: 'x' }) },
      [
        `${RESULTS}.shareID: Invalid value: "x": uid must be in RFC 4122 normalized form, \`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\` with lowercase hexadecimal characters`,
      ],
    ],
    [
      'has conditions of both sorts, or none',
      { allocation: allocationOf({ bindingConditions: ['a'] }) },
      [
        `${RESULTS}.bindingFailureConditions: Invalid value: []: bindingFailureConditions are required to use bindingConditions`,
      ],
    ],
    [
      'has the configuration of the claim or the class',
      {
        allocation: {
          devices: { config: [{ opaque: { driver: 'd', parameters: {} } }, { source: 'FromMoon' }] },
        },
      },
      [
        'status.allocation.devices.config[0].source: Required value',
        'status.allocation.devices.config[1].source: Unsupported value: "FromMoon": supported values: "FromClaim", "FromClass"',
        'status.allocation.devices.config[1].opaque: Required value',
      ],
    ],
    [
      'is on nodes that can be selected',
      { allocation: { nodeSelector: { nodeSelectorTerms: [] } } },
      [
        'status.allocation.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
    [
      'may have a status for each device that it has',
      { allocation: allocationOf(), devices: [{ ...DEVICE, data: { a: 1 } }] },
      [],
    ],
    [
      'has a status for no other device',
      { allocation: allocationOf(), devices: [{ ...DEVICE, device: 'gpu-1' }] },
      [
        'status.devices[0]: Invalid value: "gpu.example.com/node-1/gpu-1": must be an allocated device in the claim',
      ],
    ],
    [
      'has device data that is an object, and addresses in their one form',
      {
        allocation: allocationOf(),
        devices: [{ ...DEVICE, data: 'x', networkData: { ips: ['10.0.0.1', '2001:DB8::1/64'] } }],
      },
      [
        'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
        'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        'status.devices[0].networkData.ips[1]: Invalid value: "2001:DB8::1/64": must be in canonical form ("2001:db8::1/64")',
      ],
    ],
  ];
  for (const [rule, status, expected] of rows)
    it(rule, async () => {
      const path = await api.create(PATH, { spec: SPEC });
      assert.deepEqual((await refusals(path, status)).toSorted(), expected.toSorted());
    });
});

describe('an allocated claim', () => {
  it('keeps its allocation, or loses it', async () => {
    const path = await claimWith({ allocation: allocationOf(), reservedFor: [consumerOf('1')] });
    const [refusal, ...more] = await refusals(path, { allocation: { devices: { results: [] } } });
    assert.match(refusal ?? '', /^status.allocation: Invalid value: .*: field is immutable$/);
    assert.deepEqual(more, []);
    assert.deepEqual(await refusals(path, { reservedFor: [consumerOf('1'), consumerOf('2')] }), []);
    assert.deepEqual(await refusals(path, { reservedFor: null, allocation: null }), []);
  });

  it('gets no new consumers when it is being deleted', async () => {
    const path = await claimWith(
      { allocation: allocationOf(), reservedFor: [consumerOf('1'), consumerOf('2')] },
      { finalizers: ['example.com/hold'] },
    );
    await api.request('DELETE', path);
    assert.deepEqual(await refusals(path, { reservedFor: [consumerOf('2')] }), []);
    assert.deepEqual(await refusals(path, { reservedFor: [consumerOf('3')] }), [
      'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
    ]);
  });

  it('loses what was said of devices with the devices', async () => {
    const path = await claimWith({ allocation: allocationOf(), devices: [DEVICE] });
    await api.change(`${path}/status`, { status: { allocation: null } });
    const { body } = await api.request('GET', path);
    assert.deepEqual((body as { status?: object }).status, {});
  });
});
