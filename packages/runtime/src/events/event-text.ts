import type { ObjectReference } from '@windlass/apimachinery';

/** Two events about two states of one object are about the same object. */
export function withoutVersion(reference: ObjectReference): ObjectReference {
  const { resourceVersion: _, ...stable } = reference;
  return stable;
}

/** No longer than so many bytes, and never in the middle of a character. */
export function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const ellipsis = '…';
  let end = maxBytes - Buffer.byteLength(ellipsis);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.subarray(0, end).toString()}${ellipsis}`;
}
