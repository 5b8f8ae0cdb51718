// HTTP/2 by hand, for what no client library would send.

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const END_STREAM = 1;
export const END_HEADERS = 4;

const FRAME_HEAD_BYTES = 9;
const CANCEL = 8;
const INITIAL_WINDOW_SIZE = 4;

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** What a client begins with: the preface, and its settings. */
export function preface(initialWindow?: number): Buffer {
  const settings = Buffer.alloc(initialWindow === undefined ? 0 : 6);
  if (initialWindow !== undefined) {
    settings.writeUInt16BE(INITIAL_WINDOW_SIZE, 0);
    settings.writeUInt32BE(initialWindow, 2);
  }
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(FRAME.settings, 0, 0, settings),
  ]);
}

export function reset(stream: number): Buffer {
  return frame(FRAME.reset, 0, stream, Buffer.from([0, 0, 0, CANCEL]));
}

/** The block of a header list, each field as plain text that is not kept in the table. */
export function headerBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** The same with one field kept in the table: index 62 is the newest. */
export function indexedField(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0x40]), text(name), text(value)]);
}

export const NEWEST_FIELD = 0x80 | 62;

export function requestFields(path: string, token?: string): [string, string][] {
  return [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', path],
    ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] satisfies [string, string]]),
  ];
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(bytes.byteLength), bytes]);
}

/** An integer with a prefix of seven bits. */
function integer(value: number): Buffer {
  const most = 127;
  if (value < most) return Buffer.from([value]);
  const bytes = [most];
  let rest = value - most;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
