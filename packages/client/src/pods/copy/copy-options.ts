import { InvalidRequestError } from '../../errors.ts';

/** How far a copy has come. */
export interface CopyProgress {
  /** The file whose bytes went just now, as it is named on this machine. */
  readonly path: string;
  /** Files that are begun, this one too. Folders and links do not count. */
  readonly files: number;
  /** The bytes of all files so far. */
  readonly bytes: number;
}

/** How files are copied into or out of a container. */
export interface CopyOptions {
  /** @default the only one, or the one that the annotation `kubectl.kubernetes.io/default-container` names */
  readonly container?: string;
  /** Called when a file begins, and after each piece of it. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Stops the copy and closes the connection. What was copied by then stays. */
  readonly signal?: AbortSignal;
}

/** What was left out, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/** What was copied. */
export interface CopyResult {
  readonly files: number;
  readonly bytes: number;
  readonly skipped: readonly SkippedFile[];
}

/** @throws InvalidRequestError for no text, an empty one, and one that no file can have */
export function checkPath(what: string, path: unknown): asserts path is string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return;
  throw new InvalidRequestError(
    `${what} must be the path of a file or a folder, but it is ${JSON.stringify(path)}`,
  );
}

/** Counts what is copied, and tells it. */
export class CopyCount {
  readonly #onProgress: CopyOptions['onProgress'];
  readonly #skipped: SkippedFile[] = [];
  #files = 0;
  #bytes = 0;

  constructor({ onProgress }: CopyOptions) {
    this.#onProgress = onProgress;
  }

  begin(path: string): void {
    this.#files++;
    this.add(path, 0);
  }

  add(path: string, bytes: number): void {
    this.#bytes += bytes;
    this.#onProgress?.({ path, files: this.#files, bytes: this.#bytes });
  }

  skip(path: string, reason: string): void {
    this.#skipped.push({ path, reason });
  }

  result(): CopyResult {
    return { files: this.#files, bytes: this.#bytes, skipped: this.#skipped };
  }
}
