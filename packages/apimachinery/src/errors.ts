import { WindlassError } from '@windlass/base';

/** A text is no `namespace/name` key, or an object has no name to make one of. */
export class InvalidKeyError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_KEY', kind: 'bug' });
  }
}

/** A text is no resource quantity. The message is Kubernetes' own; `text` is what was given. */
export class InvalidQuantityError extends WindlassError {
  readonly text: string;

  constructor(message: string, text: string) {
    super(message, { code: 'INVALID_QUANTITY' });
    this.text = text;
  }
}

/** A label or field selector cannot be understood. The message is Kubernetes' own. */
export class InvalidSelectorError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_SELECTOR' });
  }
}

/** A text is no resource version. */
export class InvalidResourceVersionError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_RESOURCE_VERSION' });
  }
}

/** A value is neither a whole number nor a percentage. The message is Kubernetes' own. */
export class InvalidIntOrStringError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_INT_OR_STRING' });
  }
}

/** A text is no RFC 3339 time, or a number is no time that has one. */
export class InvalidTimeError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_TIME' });
  }
}

/** A text is no duration. The message is Go's own. */
export class InvalidDurationError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_DURATION' });
  }
}

/** An object cannot be referred to, or one cannot own the other. */
export class InvalidReferenceError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_REFERENCE', kind: 'bug' });
  }
}

/** Somebody else controls the object already. */
export class AlreadyOwnedError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'ALREADY_OWNED' });
  }
}

/** Where in a text something is wrong. */
export interface DecodePlace {
  readonly line?: number;
  readonly column?: number;
  /** Where the message says more than the problem: the problem alone. */
  readonly problem?: string;
}

/** Bytes are not the JSON or YAML that they should be. */
export class DecodeError extends WindlassError {
  /** The first line is 1; undefined when the place is not known. */
  readonly line: number | undefined;
  /** The first column is 1; undefined when the place is not known. */
  readonly column: number | undefined;
  /** What is wrong, without the place: for JSON in the words of API servers. */
  readonly problem: string;

  constructor(message: string, place: DecodePlace = {}, cause?: unknown) {
    super(message, { code: 'DECODE_FAILED', cause });
    this.line = place.line;
    this.column = place.column;
    this.problem = place.problem ?? message;
  }
}
