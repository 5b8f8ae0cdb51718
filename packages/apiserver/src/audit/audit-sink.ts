/**
 * Where audit events go, as lines of JSON. It must not throw: what it cannot keep, it counts and reports.
 */
export interface AuditSink extends AsyncDisposable {
  /**
   * Takes a line, without its end. A promise means that the sink is behind: whoever made the line waits
   * for it before going on, so that requests come no faster than they can be logged.
   */
  write(line: string): void | Promise<void>;
  /** Resolves when everything that was taken is written. Idempotent. */
  close(): Promise<void>;
}
