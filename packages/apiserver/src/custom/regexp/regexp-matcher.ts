export interface RegexpMatch {
  readonly start: number;
  readonly end: number;
}

/**
 * An expression in Go's syntax (RE2). However it is written, a search takes time in proportion to the
 * text: whoever defines a pattern cannot make the server stand still.
 */
export interface GoRegexp {
  test(text: string): boolean;
  /** The first match at or after `from`, as Go would find it. */
  find(text: string, from?: number): RegexpMatch | undefined;
}
