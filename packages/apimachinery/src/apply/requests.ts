/** A server-side apply of one manager. */
export interface ApplyRequest<T> {
  /** What is stored; undefined when the apply creates the object. */
  readonly live: T | undefined;
  /** What the manager wants: only the fields that it has an opinion on. */
  readonly applied: object;
  readonly manager: string;
  /** Whether to take fields that others own. @default false */
  readonly force?: boolean;
}

/** A write that is no apply, by one manager. */
export interface UpdateRequest<T> {
  /** What is stored, which is only read; undefined when the object is created. */
  readonly live: object | undefined;
  /** The object as it will be. */
  readonly updated: T;
  readonly manager: string;
}

/** The object with its owners brought up to date. */
export interface UpdateResult<T> {
  readonly object: T;
  /** Why nobody owns anything any more: a write is not refused because its owners cannot be told. */
  readonly problem: Error | undefined;
}
