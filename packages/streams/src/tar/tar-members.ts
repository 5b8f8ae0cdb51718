import { BlockReader } from './block-reader.ts';
import { BLOCK, checkedSize, decodeTarHeader, paddingOf, type TarEntry, TarError } from './tar-header.ts';

/** One file of an archive, with its long names put together. */
export interface TarMember {
  readonly entry: TarEntry;
  /** Its `size` bytes. What is not read when the next member is asked for is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** What entries before it say of the next one. */
type Override = Partial<Pick<TarEntry, 'path' | 'target' | 'size'>>;

/** More of a name, or of extended fields, is not read. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * The members of an archive, in order, as they arrive. The source is read to its end, so that who sends it does not wait.
 * @throws TarError when it is no archive, or ends in the middle of a member
 */
export async function* tarMembers(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<TarMember, void, undefined> {
  const reader = new BlockReader(source);
  let override: Override = {};
  try {
    for (let block = await reader.read(BLOCK); block !== undefined; block = await reader.read(BLOCK)) {
      const header = decodeTarHeader(block);
      if (header === undefined) break;
      const said = await readOverride(reader, header);
      if (said !== undefined) {
        override = { ...override, ...said };
        continue;
      }
      const entry = { ...header, ...override };
      override = {};
      const content = reader.copy(entry.size);
      yield { entry, content };
      for await (const _ of content);
      for await (const _ of reader.copy(paddingOf(entry.size)));
    }
    await reader.drain();
  } finally {
    await reader.close();
  }
}

/** Undefined when the header is that of a file. */
async function readOverride(reader: BlockReader, header: TarEntry): Promise<Override | undefined> {
  switch (header.type) {
    case 'long-name':
      return { path: await readText(reader, header.size) };
    case 'long-target':
      return { target: await readText(reader, header.size) };
    case 'extended':
      return extendedFields(await readText(reader, header.size));
    case 'global':
      await readText(reader, header.size);
      return {};
    default:
      return undefined;
  }
}

async function readText(reader: BlockReader, size: number): Promise<string> {
  if (size > MAX_TEXT_BYTES) throw new TarError('a name is too long');
  const bytes = await reader.read(size + paddingOf(size));
  if (bytes === undefined) throw new TarError('Unexpected EOF in archive');
  return bytes.subarray(0, size).toString().replace(/\0+$/, '');
}

/** Records such as `30 path=some/where`, each of which begins with its length in bytes. */
export function extendedFields(text: string): Override {
  const bytes = Buffer.from(text);
  const fields = new Map<string, string>();
  for (let at = 0; at < bytes.byteLength; ) {
    const [, digits, key] = /^(\d{1,7}) ([^=]+)=/.exec(bytes.toString('utf8', at, at + 256)) ?? [];
    const length = Number(digits);
    if (key === undefined || length === 0 || at + length > bytes.byteLength)
      throw new TarError('an entry has extended fields that cannot be read');
    const value = bytes.toString('utf8', at, at + length - 1).slice(`${digits} ${key}=`.length);
    fields.set(key, value);
    at += length;
  }
  const path = fields.get('path');
  const target = fields.get('linkpath');
  const size = fields.get('size');
  return {
    ...(path === undefined ? {} : { path }),
    ...(target === undefined ? {} : { target }),
    ...(size === undefined ? {} : { size: checkedSize(Number(size)) }),
  };
}
