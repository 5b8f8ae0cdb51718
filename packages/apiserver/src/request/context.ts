import type { Clock, Logger, Random } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';

/** What goes along with one request through strategies and admission. */
export interface RequestContext {
  readonly user: UserInfo;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
  /** Validate and answer, but store nothing and allocate nothing. */
  readonly isDryRun: boolean;
  /** The `fieldManager` parameter, or the User-Agent up to its first slash. */
  readonly fieldManager: string;
  readonly userAgent: string;
  /** Adds a `Warning` header to the answer. */
  warn(message: string): void;
  /** Adds to what the audit log says of the request. */
  annotate(key: string, value: string): void;
}
