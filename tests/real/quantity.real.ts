// Our canonical form of quantities against that of a real API server: what it answers is what it would store.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { canonicalQuantity } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { JsonApi } from './support/json-api.ts';

/** So many go in one request. */
const BATCH = 8;
const RUNS = 150;

const named = fc.constantFrom(
  '', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei',
  'e3', 'E3', 'e-3', 'e+6', 'e0', 'e-9', 'e-12', 'e15', 'E20',
); // biome-ignore format: a table
/** Not much beyond: to compare it with zero, the real server makes a number of as many digits. */
const exponent = fc.oneof(
  fc.integer({ min: -60, max: 60 }),
  fc.integer({ min: -20_000, max: 20_000 }),
  // It reads 64 bits and keeps 32.
  fc.integer({ min: -60, max: 60 }).map((small) => 2n ** 32n * 5n + BigInt(small)),
);
const suffix = fc.oneof(
  named,
  fc.tuple(fc.constantFrom('e', 'E'), exponent).map(([letter, value]) => `${letter}${value}`),
);
const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
    minLength: 1,
    maxLength,
  });
const quantity = fc
  .tuple(fc.constantFrom('', '', '', '+'), digits(40), fc.option(digits(40)), suffix)
  .map(([sign, whole, fraction, unit]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${unit}`);
const nonsense = fc.oneof(
  fc.constantFrom(
    '',
    ' 1',
    '1 ',
    '1.2.3',
    'k',
    '.',
    '-',
    '+',
    '1K',
    '1ki',
    '0x10',
    '1e',
    '1e1.5',
    '--1',
    '١',
    '1_000',
  ),
  fc.string({ maxLength: 6 }),
);

let api: JsonApi;
before(async () => {
  api = await JsonApi.open();
});
after(() => api[Symbol.dispose]());

/**
 * Nothing is stored: a dry run answers with the object as it would be. The quantities are sizes of volumes,
 * which are kept as they are; those of a list of resources are rounded up to thousandths.
 */
async function answer(texts: readonly string[]): Promise<{ status: number; sizes: unknown }> {
  const volumes = texts.map((sizeLimit, index) => ({ name: `v${index}`, emptyDir: { sizeLimit } }));
  const { status, body } = await api.post('/api/v1/namespaces/default/podtemplates?dryRun=All', {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'quantities' },
    template: { spec: { containers: [{ name: 'c', image: 'i' }], volumes } },
  });
  const { template } = body as { template?: { spec: { volumes: { emptyDir: { sizeLimit: string } }[] } } };
  return { status, sizes: template?.spec.volumes.map(({ emptyDir }) => emptyDir.sizeLimit) };
}

function ours(text: string): string | undefined {
  try {
    return canonicalQuantity(text);
  } catch {
    return undefined;
  }
}

describe('the canonical form of a quantity', () => {
  it('is the one that the server answers with', async () => {
    // Beyond the largest suffix the real server leaves it out, and so changes the value: we do not.
    const kept = quantity.filter((text) => ours(text)?.endsWith('000E') === false);
    const batch = fc.array(kept, { minLength: BATCH, maxLength: BATCH });
    await fc.assert(
      fc.asyncProperty(batch, async (texts) => {
        assert.deepEqual(await answer(texts), { status: 201, sizes: texts.map(ours) });
      }),
      { numRuns: RUNS },
    );
  });

  it('is the one that the server complains of when it is negative', async () => {
    const kept = quantity.filter((text) => !text.startsWith('+') && ours(text)?.endsWith('000E') === false);
    await fc.assert(
      fc.asyncProperty(kept, async (text) => {
        const canonical = ours(`-${text}`);
        const { status, body } = await api.post(
          '/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities?dryRun=All',
          { metadata: { name: 'quantities' }, storageClassName: 'any', capacity: `-${text}` },
        );
        const message = String(body['message']);
        if (canonical === '0') assert.equal(status, 201, text);
        else assert.ok(message.includes(`"${canonical}": must be greater than or equal to 0`), message);
      }),
      { numRuns: RUNS },
    );
  });

  it('is refused for the same texts', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(nonsense, async (text) => {
        const { status, sizes } = await answer([text]);
        const canonical = ours(text);
        if (canonical === undefined) refused++;
        // A negative one can be read, but no volume takes it.
        if (canonical?.startsWith('-')) assert.equal(status, 422, JSON.stringify(text));
        else if (canonical === undefined) assert.equal(status, 400, JSON.stringify(text));
        else assert.deepEqual({ status, sizes }, { status: 201, sizes: [canonical] });
      }),
      { numRuns: 300 },
    );
    assert.ok(refused > 100, `only ${refused} were refused`);
  });
});
