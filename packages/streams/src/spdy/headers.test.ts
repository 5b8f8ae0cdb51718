import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { StreamProtocolError } from '../errors.ts';
import { HEADER_DICTIONARY } from './dictionary.ts';
import { decodeHeaderBlock, encodeHeaderBlock, HeaderPacker, HeaderUnpacker } from './headers.ts';

const names = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
const headerSets = fc.dictionary(
  names,
  fc.string({ maxLength: 50 }).filter((text) => !text.includes('\0')),
);

describe('header blocks', () => {
  it('have the dictionary of the specification', () => {
    assert.equal(HEADER_DICTIONARY.byteLength, 1423);
    // zlib names a dictionary by its Adler-32, which stands in the stream: e3c6a7c2 for SPDY/3.
    const packed = deflateSync(Buffer.from('x'), { dictionary: HEADER_DICTIONARY });
    assert.equal(packed.subarray(2, 6).toString('hex'), 'e3c6a7c2');
    assert.notEqual(crc32(HEADER_DICTIONARY), 0);
  });

  it('come out as they went in, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(headerSets, { maxLength: 5 }), async (sets) => {
        const packer = new HeaderPacker();
        const unpacker = new HeaderUnpacker();
        for (const set of sets) {
          const headers = new Map(Object.entries(set));
          const unpacked = await unpacker.unpack(await packer.pack(headers));
          assert.deepEqual([...unpacked], [...headers]);
        }
        packer.close();
        unpacker.close();
      }),
      { numRuns: 30 },
    );
  });

  it('put the values of one name together', () => {
    const block = encodeHeaderBlock(new Map([['Accept', 'a\0b']]));
    assert.deepEqual([...decodeHeaderBlock(block)], [['accept', 'a,b']]);
  });

  it('of any bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          decodeHeaderBlock(Buffer.from(bytes));
        } catch (error) {
          assert.ok(error instanceof StreamProtocolError);
        }
      }),
    );
  });

  it('that unpack to too much are refused', async () => {
    const bomb = deflateSync(Buffer.alloc(10_000_000), { dictionary: HEADER_DICTIONARY });
    await assert.rejects(new HeaderUnpacker().unpack(bomb), /more than 65536 bytes/);
  });

  it('that zlib did not write are refused', async () => {
    await assert.rejects(new HeaderUnpacker().unpack(Buffer.from('nonsense')), StreamProtocolError);
  });
});
