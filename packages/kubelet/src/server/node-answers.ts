import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@windlass/base';
import type { NodePods } from './node-pods.ts';

/** A connection that gets another protocol. */
export interface Upgrade {
  readonly headers: Readonly<Record<string, string>>;
  /** Resolves when it is over. */
  readonly run: (socket: Duplex) => Promise<void>;
}

/** What a node answers to the API server. Both throw NodeRequestError for what they cannot do. */
export interface NodeAnswers {
  answer(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void>;
  upgrade(request: IncomingMessage): Promise<Upgrade>;
}

/** The node that is asked. */
export interface AnswerContext {
  readonly node: string;
  readonly pods: NodePods;
  readonly clock: Clock;
}
