// XSalsa20, as in NaCl: a stream cipher with nonces of 24 bytes. Node has none.

/** "expand 32-byte k" */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
const ROUNDS = 20;
const BLOCK = 64;
/** Which words each quarter round mixes: of the columns, then of the rows. */
const QUARTERS: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
];

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mix(words: Uint32Array): void {
  const word = (index: number): number => words[index] ?? 0;
  const add = (target: number, one: number, other: number, bits: number): void => {
    words[target] = word(target) ^ rotate((word(one) + word(other)) | 0, bits);
  };
  for (let round = 0; round < ROUNDS; round += 2)
    for (const [a, b, c, d] of QUARTERS) {
      add(b, a, d, 7);
      add(c, b, a, 9);
      add(d, c, b, 13);
      add(a, d, c, 18);
    }
}

/** The words of a key, of sixteen bytes more, and of the constants, where Salsa20 has them. */
function stateOf(key: Buffer, input: Buffer): Uint32Array {
  const state = new Uint32Array(16);
  for (let index = 0; index < 4; index++) {
    state[index * 5] = SIGMA[index] ?? 0;
    state[1 + index] = key.readUInt32LE(index * 4);
    state[11 + index] = key.readUInt32LE(16 + index * 4);
    state[6 + index] = input.readUInt32LE(index * 4);
  }
  return state;
}

/** A key for one nonce: HSalsa20. */
function subkey(key: Buffer, nonce: Buffer): Buffer {
  const state = stateOf(key, nonce.subarray(0, 16));
  mix(state);
  const derived = Buffer.alloc(32);
  for (const [at, index] of [0, 5, 10, 15, 6, 7, 8, 9].entries())
    derived.writeUInt32LE(state[index] ?? 0, at * 4);
  return derived;
}

/** So many bytes of the key stream. @param nonce 24 bytes */
export function xsalsa20(key: Buffer, nonce: Buffer, length: number): Buffer {
  const derived = subkey(key, nonce);
  const stream = Buffer.alloc(Math.ceil(length / BLOCK) * BLOCK);
  const input = Buffer.alloc(16);
  nonce.copy(input, 0, 16, 24);
  for (let at = 0; at < length; at += BLOCK) {
    input.writeUInt32LE(at / BLOCK, 8);
    const start = stateOf(derived, input);
    const state = start.slice();
    mix(state);
    for (let index = 0; index < 16; index++)
      stream.writeUInt32LE(((state[index] ?? 0) + (start[index] ?? 0)) >>> 0, at + index * 4);
  }
  return stream.subarray(0, length);
}
