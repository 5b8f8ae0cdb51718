import type { Duplex } from 'node:stream';
import type { RequestContext } from '../request/context.ts';
import type { Query } from '../request/query-values.ts';
import type { Draft } from './strategy.ts';

/** A request that is handed on to a node, a pod or a service. */
export interface ConnectRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly namespace: string;
  readonly name: string;
  /** The whole path, as it was asked for. */
  readonly path: string;
  /** What follows the subresource, with its slash and its escapes; empty when nothing does. */
  readonly rest: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  /** What the query asks for, as admission has left it. Undefined where admission has no say. */
  readonly options: Draft | undefined;
  /** Whether the connection can be given another protocol, as the headers ask for. */
  readonly isUpgrade: boolean;
  /** The body, as it arrives. Undefined when there is none. */
  readonly openBody: (() => AsyncIterable<Uint8Array>) | undefined;
  readonly context: RequestContext;
}

export type ConnectAnswer =
  | {
      readonly type: 'object';
      readonly status: number;
      readonly object: unknown;
    }
  | {
      /** Bytes that come over time. */
      readonly type: 'stream';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: AsyncIterable<Uint8Array>;
    }
  | {
      /** The connection gets another protocol. */
      readonly type: 'upgrade';
      readonly status: 101;
      readonly headers: Readonly<Record<string, string>>;
      /** Speaks it until one side ends. Never rejects. Is called also when the client has gone meanwhile. */
      readonly run: (client: Duplex) => Promise<void>;
    };

/** Answers with what the other side answers; throws a StatusError. */
export type ConnectHandler = (request: ConnectRequest) => Promise<ConnectAnswer>;

export interface ConnectForm {
  readonly type: 'connect';
  readonly handle: ConnectHandler;
  /** Whether the path may go on after the subresource. */
  readonly takesPath: boolean;
  /**
   * The object that admission sees as CONNECT. Undefined: admission is not asked, as for logs.
   * @throws StatusError 400 when the query cannot be read
   */
  readonly optionsOf: ((query: Query, rest: string) => Draft) | undefined;
  /** Reading such a stream needs this permission too, whatever the method is. */
  readonly alsoNeeds?: 'create';
}
