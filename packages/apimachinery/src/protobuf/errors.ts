import { describe, WindlassError } from '@windlass/base';

/** Bytes are not the protobuf that they should be. `offset` is where in them, `messageName` in what. */
export class ProtobufDecodeError extends WindlassError {
  readonly offset: number;
  /** `io.k8s.api.core.v1.PodSpec` */
  readonly messageName: string;

  constructor(problem: string, offset: number, messageName: string, cause?: unknown) {
    super(`${problem} at byte ${offset} in ${messageName}`, { code: 'PROTOBUF_DECODE_FAILED', cause });
    this.offset = offset;
    this.messageName = messageName;
  }
}

/** An object does not fit the kind that it says it is. `path` names the field: `spec.ports[0].port`. */
export class ProtobufEncodeError extends WindlassError {
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(`${path === '' ? 'the object' : path} ${problem}`, { code: 'PROTOBUF_ENCODE_FAILED', kind: 'bug' });
    this.path = path;
    this.problem = problem;
  }

  static type(value: unknown, expected: string): ProtobufEncodeError {
    return new ProtobufEncodeError('', `must be ${expected}, but it is ${describe(value)}`);
  }

  /** The same error, seen from one step further out: a property's name or `[0]`. Others pass unchanged. */
  static within(step: string, error: unknown): unknown {
    if (!(error instanceof ProtobufEncodeError)) return error;
    const joint = error.path === '' || error.path.startsWith('[') ? '' : '.';
    return new ProtobufEncodeError(`${step}${joint}${error.path}`, error.problem);
  }
}

/** For a protocol in which null stands for nothing. */
export const noNull = (path: string): ProtobufEncodeError =>
  new ProtobufEncodeError(path, 'must be a value, but it is null');

/** The kind has no protobuf form: it is no built-in kind of the release that the tables are from. */
export class ProtobufKindError extends WindlassError {
  constructor(apiVersion: string, kind: string) {
    super(`${apiVersion} ${kind} has no protobuf form; use JSON`, { code: 'PROTOBUF_UNKNOWN_KIND' });
  }
}
