import { type FileHandle, open, stat } from 'node:fs/promises';
import { parseTime } from '@windlass/apimachinery';
import { type Clock, isCancelled, sleep } from '@windlass/base';
import type { LogOptions } from '../../server/log-options.ts';
import { errorCode } from '../../volume-manager/files/node-files.ts';
import { type LogLine, parseLogLine } from './log-line.ts';

/** Who follows a log sees what is new this soon. */
const LOOK_MS = 250;
const BLOCK_BYTES = 64 * 1024;
const NEW_LINE = 0x0a;

export interface LogFile {
  readonly path: string;
  /** Whether more may be written. */
  readonly isWritten: () => boolean | Promise<boolean>;
}

/** What of a log is asked for, as bytes that are sent as they are. Ends when nothing more will come, or at the signal. */
export async function* readLog(
  { path, isWritten }: LogFile,
  options: LogOptions,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  let handle = await open(path, 'r');
  try {
    let reader = new LineReader(handle, await startOf(handle, options.tailLines));
    for (;;) {
      // Asked before the last look: what was written until then is seen.
      const isOpen = options.follow && (await isWritten());
      yield* selected(reader, options);
      if (!isOpen) return;
      if (await isReplaced(handle, path)) {
        yield* selected(reader, options);
        await handle.close();
        handle = await open(path, 'r');
        reader = new LineReader(handle, 0);
      } else await sleep(clock, LOOK_MS, signal);
    }
  } catch (error) {
    if (!isCancelled(error)) throw error;
  } finally {
    await handle.close();
  }
}

async function* selected(
  reader: LineReader,
  { since, timestamps }: Pick<LogOptions, 'since' | 'timestamps'>,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const bytes of reader.lines()) {
    const line = parseLogLine(bytes);
    if (line === undefined || (since !== undefined && parseTime(line.time) < since)) continue;
    yield shown(line, timestamps);
  }
}

function shown({ time, text, isWhole }: LogLine, timestamps: boolean): Buffer {
  const parts = timestamps ? [Buffer.from(`${time} `), text] : [text];
  return Buffer.concat(isWhole ? [...parts, Buffer.of(NEW_LINE)] : parts);
}

/** The file was rotated away: what comes is written to another one of its name. */
async function isReplaced(handle: FileHandle, path: string): Promise<boolean> {
  try {
    const [own, present] = [await handle.stat(), await stat(path)];
    return own.ino !== present.ino;
  } catch (error) {
    // Between two names there is none.
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whole lines from a place in a file on, as far as they are written. */
class LineReader {
  readonly #handle: FileHandle;
  #position: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(handle: FileHandle, position: number) {
    this.#handle = handle;
    this.#position = position;
  }

  async *lines(): AsyncGenerator<Buffer, void, undefined> {
    const block = Buffer.alloc(BLOCK_BYTES);
    for (;;) {
      const { bytesRead } = await this.#handle.read(block, 0, BLOCK_BYTES, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      let rest = Buffer.concat([this.#rest, block.subarray(0, bytesRead)]);
      for (let end = rest.indexOf(NEW_LINE); end !== -1; end = rest.indexOf(NEW_LINE)) {
        yield rest.subarray(0, end);
        rest = rest.subarray(end + 1);
      }
      this.#rest = rest;
    }
  }
}

/** Where the last lines begin. @param tailLines undefined: all of them */
async function startOf(handle: FileHandle, tailLines: number | undefined): Promise<number> {
  if (tailLines === undefined) return 0;
  const { size } = await handle.stat();
  const block = Buffer.alloc(BLOCK_BYTES);
  // The last byte ends the last line.
  let end = Math.max(0, size - 1);
  if (tailLines === 0) return size;
  let left = tailLines;
  while (end > 0) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const { bytesRead } = await handle.read(block, 0, end - start, start);
    for (let at = block.lastIndexOf(NEW_LINE, bytesRead - 1); at !== -1; at = before(block, at)) {
      left--;
      if (left === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

/** The line feed before the one at that place. */
function before(block: Buffer, at: number): number {
  return at === 0 ? -1 : block.lastIndexOf(NEW_LINE, at - 1);
}
