/** Reads a part of a device; short at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

export const latin = (value: string): Buffer => Buffer.from(value, 'latin1');
export const hex = (value: string): Buffer => Buffer.from(value, 'hex');

export function has(buffer: Buffer, offset: number, magic: Buffer): boolean {
  if (offset < 0 || buffer.length < offset + magic.length) return false;
  return buffer.subarray(offset, offset + magic.length).equals(magic);
}

/** Empty where there is none: zeros are none. */
export function uuidIn(buffer: Buffer, offset: number): string {
  if (buffer.length < offset + 16) return '';
  const bytes = buffer.subarray(offset, offset + 16);
  if (bytes.every((byte) => byte === 0)) return '';
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function textIn(buffer: Buffer, offset: number, length: number): string {
  const raw = buffer.subarray(offset, offset + length);
  const end = raw.indexOf(0);
  return raw.subarray(0, end === -1 ? length : end).toString('utf8');
}
