// grpc-message is text in a header: everything but printable ASCII is percent-encoded UTF-8.

/** A header has a limit, and an endless message helps nobody. */
const MAX_LENGTH = 4096;

export function encodeStatusMessage(message: string): string {
  const short = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
  let text = '';
  for (const byte of Buffer.from(short, 'utf8'))
    text +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}

/** What is not properly encoded is shown as it came. */
export function decodeStatusMessage(text: string): string {
  if (!text.includes('%')) return text;
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const hex = text[index] === '%' ? text.slice(index + 1, index + 3) : '';
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else bytes.push(...Buffer.from(text[index] ?? '', 'utf8'));
  }
  return Buffer.from(bytes).toString('utf8');
}
