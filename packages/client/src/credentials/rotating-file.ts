import { readFile } from 'node:fs/promises';
import type { Clock, Logger } from '@windlass/base';
import { CredentialError } from '../errors.ts';

/** How long a file's content is taken to be current. */
const FILE_MAX_AGE_MS = 60_000;

export interface RotatingFileOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A file that somebody else replaces while we run: a token, a certificate. It is read again when a
 * minute has passed since the last time and somebody asks, so an idle process reads nothing and no
 * timer is left behind. When it cannot be read any more, what it last held stays in use.
 */
export class RotatingFile {
  readonly path: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #content: string | undefined;
  #readAt = 0;
  #reading: Promise<string> | undefined;

  constructor(path: string, options: RotatingFileOptions) {
    this.path = path;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  read(): string | Promise<string> {
    if (this.#content !== undefined && this.#clock.monotonic() - this.#readAt < FILE_MAX_AGE_MS) {
      return this.#content;
    }
    return this.reread();
  }

  /** Reads now, however fresh the content is. Calls at the same time share one read. */
  reread(): Promise<string> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #load(): Promise<string> {
    try {
      const content = await readFile(this.path, 'utf8');
      // A file that is being replaced may be empty for a moment.
      if (content.trim() === '') throw new Error('the file is empty');
      this.#content = content;
    } catch (cause) {
      if (this.#content === undefined) {
        throw new CredentialError(`cannot read ${this.path}`, { code: 'CREDENTIAL_FILE_UNREADABLE', cause });
      }
      this.#logger.warn('a credential file can no longer be read; using what it last held', {
        file: this.path,
        error: cause,
      });
    }
    this.#readAt = this.#clock.monotonic();
    return this.#content;
  }
}
