// Which texts are times, and what is wrong with the others, against a real API server.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Transport } from '@windlass/apimachinery';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import * as fc from 'fast-check';
import { JsonApi } from './support/json-api.ts';

const RUNS = 600;

let api: JsonApi;
let server: ApiServer;
let transport: Transport;
before(async () => {
  api = await JsonApi.open();
  server = new ApiServer({ store: createMemoryStore() });
  transport = server.transport({ name: 'admin', groups: ['system:masters'] });
});
after(async () => {
  api[Symbol.dispose]();
  await server.close();
});

const two = (max: number): fc.Arbitrary<string> =>
  fc.nat(max).map((number) => String(number).padStart(2, '0'));
const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('0', '1', '9'), maxLength });

/** A little out of every range now and then. */
const time = fc
  .tuple(
    fc.constantFrom('2024', '2023', '0000', '0001', '9999', '1969'),
    two(13),
    two(32),
    fc.oneof(two(25), fc.constantFrom('7')),
    two(61),
    two(61),
    fc.oneof(
      fc.constantFrom('', '', '.123456', '.000000', ',999999'),
      digits(10).map((part) => `.${part}`),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('Z') },
      fc
        .tuple(fc.constantFrom('+', '-', ' '), two(26), two(62))
        .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    ),
  )
  .map(([year, month, day, hour, minute, second, fraction, zone]) => {
    const date = `${year}-${month}-${day}`;
    return `${date}T${hour}:${minute}:${second}${fraction}${zone}`;
  });

/** One character is another, or gone, or there twice. */
const nearlyTime = fc
  .tuple(time, fc.nat(40), fc.constantFrom('', 'é', ' ', '"', '\\', '\n', 'x', '5', 'z', '::'))
  .map(([text, at, by]) => `${text.slice(0, at)}${by}${text.slice(at + 1)}`);

const texts = fc.oneof(
  { weight: 3, arbitrary: time },
  { weight: 3, arbitrary: nearlyTime },
  fc.string({ maxLength: 25 }),
  fc.constantFrom('', 'null', 'now', '2024-02-29', '2024-02-29 12:00:00Z', '2024-02-29T12:00:00'),
);

interface Row {
  readonly what: string;
  readonly path: string;
  readonly object: (text: string) => object;
  readonly read: (body: Record<string, unknown>) => unknown;
}

const rows: readonly Row[] = [
  {
    what: 'a time of seconds',
    path: '/api/v1/namespaces/default/events',
    object: (text) => ({
      metadata: { name: 'times', namespace: 'default' },
      involvedObject: { namespace: 'default' },
      firstTimestamp: text,
    }),
    read: (body) => body['firstTimestamp'],
  },
  {
    what: 'a time of microseconds',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    object: (text) => ({ metadata: { name: 'times' }, spec: { renewTime: text } }),
    read: (body) => (body['spec'] as { renewTime?: unknown } | undefined)?.renewTime,
  },
];

describe('what a server makes of a text', () => {
  for (const { what, path, object, read } of rows)
    it(`that should be ${what}`, async () => {
      const statuses = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          const query = { dryRun: 'All' };
          const theirs = await api.post(path, object(text), { query });
          const body = Buffer.from(JSON.stringify(object(text)));
          const ours = await transport.request({ method: 'POST', path, query, body });
          const answer = (status: number, given: unknown): unknown => {
            const { message, ...rest } = given as Record<string, unknown>;
            return status === 201 ? { status, time: read(rest) } : { status, message };
          };
          assert.deepEqual(answer(ours.status, ours.body), answer(theirs.status, theirs.body));
          statuses.set(theirs.status, (statuses.get(theirs.status) ?? 0) + 1);
        }),
        { numRuns: RUNS },
      );
      for (const status of [201, 400])
        assert.ok((statuses.get(status) ?? 0) > RUNS / 20, JSON.stringify([...statuses]));
    });
});
