import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { AdmissionChain } from './chain.ts';

/** Which plugins ran, in their order. */
async function runs(...plugins: readonly Partial<AdmissionPlugin>[]): Promise<string[]> {
  const log: string[] = [];
  const chain = new AdmissionChain(
    plugins.map(({ name = '', mutate, reinvoke }) => ({
      name,
      handles: () => true,
      ...(mutate !== undefined && {
        mutate: (request: AdmissionRequest) => {
          log.push(name);
          return mutate(request);
        },
      }),
      ...(reinvoke !== undefined && {
        reinvoke: () => {
          log.push(`${name} again`);
        },
      }),
    })),
  );
  // None of these plugins looks at the request.
  await chain.mutate({} as AdmissionRequest);
  return log;
}

describe('the chain of admission plugins', () => {
  const plain = { name: 'plain', mutate: () => undefined };
  const validating = { name: 'validating' };

  it('runs each once when none asks for more', async () => {
    assert.deepEqual(await runs(plain, validating, { name: 'other', mutate: async () => undefined }), [
      'plain',
      'other',
    ]);
  });

  it('runs all once more when one asks for it, and no more often', async () => {
    const asking = { name: 'asking', mutate: async () => 'reinvoke' as const };
    assert.deepEqual(await runs(plain, asking), ['plain', 'asking', 'plain', 'asking']);
  });

  it('takes the other way of those that have one the second time', async () => {
    const asking = { name: 'asking', mutate: () => 'reinvoke' as const, reinvoke: () => undefined };
    assert.deepEqual(await runs(asking, plain), ['asking', 'plain', 'asking again', 'plain']);
  });
});
