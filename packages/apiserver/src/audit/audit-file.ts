import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  fieldOf,
  type Logger,
  type Metrics,
  makeDirectory,
  noMetrics,
  silentLogger,
  toError,
} from '@windlass/base';
import type { AuditSink } from './audit-sink.ts';

/** Where the audit log is written, and when its file is rotated. */
export interface AuditFileOptions {
  readonly path: string;
  /** When the file would grow beyond it, it becomes PATH.1 and a new one begins. @default 104857600 */
  readonly maxBytes?: number;
  /** How many old files are kept. @default 5 */
  readonly maxBackups?: number;
  /** How much may wait to be written before requests wait too. @default 4194304 */
  readonly maxBufferedBytes?: number;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

const DEFAULT_MAX_BYTES = 100 * 1024 * 1024;
const DEFAULT_MAX_BACKUPS = 5;
const DEFAULT_MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
const PRIVATE = 0o600;

/**
 * Audit events in a file, many with one write. Only its owner may read it. A write that fails loses its
 * lines, which is counted and logged: a full disk must not stop the API.
 */
export class AuditFile implements AuditSink {
  readonly #options: Required<AuditFileOptions>;
  readonly #failed: { inc(by?: number): void };
  #file: FileHandle;
  #fileBytes: number;
  #lines: string[] = [];
  #bufferedBytes = 0;
  #writing: Promise<void> | undefined = undefined;
  #isClosed = false;

  private constructor(options: Required<AuditFileOptions>, file: FileHandle, size: number) {
    this.#options = options;
    this.#file = file;
    this.#fileBytes = size;
    this.#failed = options.metrics
      .counter({
        name: 'apiserver_audit_error_total',
        help: 'Audit events that could not be logged',
        labelNames: ['plugin'],
      })
      .labels({ plugin: 'log' });
  }

  static async open(options: AuditFileOptions): Promise<AuditFile> {
    const { path } = options;
    await makeDirectory(dirname(path), { mode: 0o700 });
    const file = await open(path, 'a', PRIVATE);
    const { size } = await file.stat();
    return new AuditFile(
      {
        maxBytes: DEFAULT_MAX_BYTES,
        maxBackups: DEFAULT_MAX_BACKUPS,
        maxBufferedBytes: DEFAULT_MAX_BUFFERED_BYTES,
        logger: silentLogger,
        metrics: noMetrics,
        ...options,
      },
      file,
      size,
    );
  }

  write(line: string): void | Promise<void> {
    if (this.#isClosed) {
      this.#failed.inc();
      return;
    }
    this.#lines.push(line);
    // Lines are ASCII but for a few names, and this is only about when to wait.
    this.#bufferedBytes += line.length + 1;
    this.#writing ??= this.#drain();
    return this.#bufferedBytes > this.#options.maxBufferedBytes ? this.#writing : undefined;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writing;
    await this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #drain(): Promise<void> {
    // What comes in the same turn goes with the first write.
    await Promise.resolve();
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      this.#bufferedBytes = 0;
      try {
        await this.#append(Buffer.from(`${lines.join('\n')}\n`));
      } catch (error) {
        this.#failed.inc(lines.length);
        this.#options.logger.error('audit events were lost: the audit log cannot be written', {
          path: this.#options.path,
          events: lines.length,
          error: toError(error),
        });
      }
    }
    this.#writing = undefined;
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#fileBytes > 0 && this.#fileBytes + bytes.byteLength > this.#options.maxBytes)
      await this.#rotate();
    await this.#file.appendFile(bytes);
    this.#fileBytes += bytes.byteLength;
  }

  async #rotate(): Promise<void> {
    const { path, maxBackups } = this.#options;
    if (maxBackups > 0) {
      for (let index = maxBackups - 1; index >= 1; index--)
        await rename(`${path}.${index}`, `${path}.${index + 1}`).catch(ignoreMissing);
      await rename(path, `${path}.1`);
    } else await rm(path);
    const next = await open(path, 'a', PRIVATE);
    await this.#file.close();
    this.#file = next;
    this.#fileBytes = 0;
  }
}

function ignoreMissing(error: unknown): void {
  if (fieldOf(error, 'code') !== 'ENOENT') throw error;
}
