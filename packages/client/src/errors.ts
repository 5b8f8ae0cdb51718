// What this package throws beside the StatusError of an API server's answer.
import { WindlassError, type WindlassErrorOptions } from '@windlass/base';

/** Where in a kubeconfig something is wrong. */
export interface KubeconfigLocation {
  readonly file?: string | undefined;
  readonly context?: string | undefined;
  /** As written in the file: `clusters[prod].cluster.server`. */
  readonly field?: string | undefined;
}

/** Why a kubeconfig cannot be used. */
export type KubeconfigErrorCode =
  /** The file is not there or cannot be read. */
  | 'KUBECONFIG_UNREADABLE'
  /** The file is neither YAML nor JSON. */
  | 'KUBECONFIG_SYNTAX'
  /** A field is missing, of the wrong type, or contradicts another. */
  | 'KUBECONFIG_INVALID'
  /** No kubeconfig, and not in a cluster either. */
  | 'KUBECONFIG_NONE';

/** A kubeconfig cannot be used. Names file, context and field; never prints a value that may be secret. */
export class KubeconfigError extends WindlassError implements KubeconfigLocation {
  readonly file: string | undefined;
  readonly context: string | undefined;
  readonly field: string | undefined;

  constructor(
    problem: string,
    where: KubeconfigLocation,
    options: { code: KubeconfigErrorCode; cause?: unknown },
  ) {
    const place = [
      where.file === undefined ? 'kubeconfig' : `kubeconfig ${where.file}`,
      ...(where.context === undefined ? [] : [`context "${where.context}"`]),
      ...(where.field === undefined ? [] : [where.field]),
    ];
    super(`${place.join(', ')}: ${problem}`, options);
    this.file = where.file;
    this.context = where.context;
    this.field = where.field;
  }
}

/** Why credentials cannot be had. */
export type CredentialErrorCode =
  | 'CREDENTIAL_FILE_UNREADABLE'
  | 'CERTIFICATE_INVALID'
  | 'EXEC_NOT_FOUND'
  | 'EXEC_FAILED'
  | 'EXEC_NOT_INTERACTIVE'
  | 'EXEC_BAD_OUTPUT';

/** Credentials could not be had: a file is gone, a plugin failed. Never carries the plugin's output. */
export class CredentialError extends WindlassError {
  constructor(message: string, options: { code: CredentialErrorCode; cause?: unknown }) {
    super(message, options);
  }
}

/** Why a request got no answer. */
export type TransportErrorCode =
  /** Nobody listens there, or the name has no address. The request was never sent. */
  | 'CONNECTION_REFUSED'
  /** No connection within the time allowed. The request was never sent. */
  | 'CONNECT_TIMEOUT'
  /** The server's certificate or ours was not accepted. */
  | 'TLS_FAILED'
  /** The connection broke. `sent` says whether the server may have acted on the request. */
  | 'CONNECTION_LOST'
  /** The server took the request and was silent for longer than allowed. */
  | 'RESPONSE_TIMEOUT'
  /** The transport was closed before or during the request. */
  | 'TRANSPORT_CLOSED'
  /** The answer is not what its headers say. */
  | 'BAD_RESPONSE';

/** The network failed: there is no answer of the API server. */
export class TransportError extends WindlassError {
  declare readonly code: TransportErrorCode;
  /** Whether the server may have received the request, and so may have acted on it. */
  readonly sent: boolean;

  constructor(message: string, options: { code: TransportErrorCode; sent: boolean; cause?: unknown }) {
    super(message, options);
    this.sent = options.sent;
  }
}

/** Why a watch ended before the server ended it. */
export type WatchStreamErrorCode =
  /** Nothing came for longer than the transport, or the reader, allows: the connection is taken for dead. */
  | 'WATCH_IDLE'
  /** A line is no watch event. */
  | 'WATCH_GARBAGE'
  /** A line is longer than the limit. */
  | 'WATCH_LINE_TOO_LONG'
  /** The stream ended in the middle of a line. */
  | 'WATCH_TRUNCATED';

/** A watch stream broke after it was established. What came before it was delivered. */
export class WatchStreamError extends WindlassError {
  declare readonly code: WatchStreamErrorCode;

  constructor(message: string, options: { code: WatchStreamErrorCode; cause?: unknown }) {
    super(message, options);
  }
}

/** The library for HTTP cannot be loaded, and no request will ever work. Mostly the program is a bundle. */
export class TransportLibraryError extends WindlassError {
  constructor(cause: Error) {
    super(
      `the library undici cannot be loaded: ${cause.message}; when the program is bundled as ESM by esbuild, give its output a require (docs/guides/run-on-a-real-cluster.md, "Bundle it")`,
      { code: 'TRANSPORT_LIBRARY', kind: 'bug', cause },
    );
  }
}

/** A container prints a line that is too long to be kept in memory. The lines before it were delivered. */
export class LogLineError extends WindlassError {
  constructor(maxLineBytes: number) {
    super(
      `a line of the log has more than ${maxLineBytes} bytes; read it with .bytes(), or set maxLineBytes higher`,
      { code: 'LOG_LINE_TOO_LONG' },
    );
  }
}

/** The API server serves no such kind or resource, also after discovery was fetched again. */
export class NoMatchError extends WindlassError {
  constructor(message: string, options: Omit<WindlassErrorOptions, 'code' | 'kind'> = {}) {
    super(message, { code: 'NO_MATCH', ...options });
  }
}

/** A call that cannot work, refused before anything was sent. */
export class InvalidRequestError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_REQUEST', kind: 'bug' });
  }
}
