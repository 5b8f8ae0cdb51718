import type { RemoteCommand } from '@windlass/streams';
import { type CommandEnd, failureOf, statusText } from './command-status.ts';

/** What a command needs of its connection. */
export interface RemoteStreams {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: (bytes: Uint8Array) => Promise<void>;
  readonly stderr: (bytes: Uint8Array) => Promise<void>;
  readonly signal: AbortSignal;
}

const NO_INPUT: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/** Runs something for a client, and tells it how that ended. Never rejects. */
export async function runRemote(
  command: RemoteCommand,
  isTerminal: boolean,
  run: (streams: RemoteStreams) => Promise<number>,
): Promise<void> {
  const { stdin, stdout, stderr, signal } = command;
  void drain(command.resize);
  const write = async (bytes: Uint8Array): Promise<void> =>
    stdout?.write(isTerminal ? withReturns(bytes) : bytes);
  let end: CommandEnd;
  try {
    const code = await run({
      stdin: stdin === undefined ? NO_INPUT : isTerminal ? echoed(stdin, write) : stdin,
      stdout: write,
      // A terminal has one output.
      stderr: async (bytes) => (isTerminal ? write(bytes) : stderr?.write(bytes)),
      signal,
    });
    end = { type: 'exited', code };
  } catch (error) {
    end = failureOf(error);
  }
  try {
    const text = statusText(end, command.status);
    if (text !== '' && !signal.aborted) await command.error.write(Buffer.from(text));
  } catch {
    // The client has gone.
  }
  await command.close();
}

/** Sizes of a terminal mean nothing to simulated programs. */
async function drain(source: AsyncIterable<Uint8Array> | undefined): Promise<void> {
  if (source === undefined) return;
  try {
    for await (const _ of source);
  } catch {
    // The client has gone.
  }
}

/** A terminal shows what is typed because the other side says it again. */
async function* echoed(
  source: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const bytes of source) {
    await write(Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r', '\n'), 'latin1'));
    yield bytes;
  }
}

function withReturns(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}
