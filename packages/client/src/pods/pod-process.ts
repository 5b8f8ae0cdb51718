import { type Duplex, Readable, Writable } from 'node:stream';
import { abortError } from '@windlass/base';
import {
  type ByteStream,
  collectBytes,
  type OpenCommand,
  StreamClosedError,
  settle,
} from '@windlass/streams';
import { sizeText, type TerminalSize } from './command-options.ts';
import { type CommandExit, exitOf } from './exit-status.ts';

export interface PodProcessOptions {
  readonly command: OpenCommand;
  readonly socket: Duplex;
  /** For messages: `exec in the pod web`. */
  readonly what: string;
  readonly signal: AbortSignal | undefined;
}

/** More of a status is not read. */
const MAX_STATUS_BYTES = 1024 * 1024;

/**
 * A command that runs in a pod. It reads as a child process of Node does: what was asked for of stdout and stderr must be
 * read, or the command waits; destroy what you do not want. Dispose of it to close the connection.
 */
export class PodProcess implements AsyncDisposable {
  /** Undefined unless asked for. End it to tell the command so. What is written after its end is dropped. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  /**
   * How the command ended, whatever its exit code. Rejects when it could not be run (StatusError), when the connection
   * broke (TransportError), and when the signal aborted.
   */
  readonly exited: Promise<CommandExit>;
  readonly #command: OpenCommand;
  readonly #socket: Duplex;

  constructor(options: PodProcessOptions) {
    const { command, socket } = options;
    this.#command = command;
    this.#socket = socket;
    this.stdin = command.stdin === undefined ? undefined : writableOf(command.stdin);
    this.stdout = readableOf(command.stdout);
    this.stderr = readableOf(command.stderr);
    this.exited = this.#exit(options);
    // Who reads only what it prints need not ask for its end.
    this.exited.catch(() => {});
  }

  /** Tells the terminal its size. Without a terminal nothing happens. */
  async resize(size: TerminalSize): Promise<void> {
    await this.#command.resize?.write(Buffer.from(sizeText(size)));
  }

  /** Closes the connection, whether or not the command has ended. Idempotent. */
  async close(): Promise<void> {
    await this.#command.close();
    this.#socket.destroy();
    await this.#command.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #exit({ command, socket, what, signal }: PodProcessOptions): Promise<CommandExit> {
    const text = (await collectBytes(command.error.input, MAX_STATUS_BYTES)).toString();
    if (text === '' && signal?.aborted === true) throw abortError(signal);
    // All that it printed has come before its status.
    await command.close();
    socket.end(() => socket.destroy());
    return exitOf(text, what);
  }
}

function readableOf(stream: ByteStream | undefined): Readable | undefined {
  return stream === undefined ? undefined : Readable.from(stream.input, { objectMode: false });
}

function writableOf(stream: ByteStream): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      void settle(stream.write(chunk), (error) => {
        // The command has ended and reads no more, which its exit tells.
        done(error instanceof StreamClosedError ? undefined : error);
      });
    },
    final(done) {
      void settle(stream.end(), (error) => done(error));
    },
  });
}
