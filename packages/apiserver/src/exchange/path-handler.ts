import type { RequestInfo } from '../request/request-info.ts';
import type { ServerRequest, ServerResponse } from './exchange.ts';

/** Answers paths that are no resources: discovery, health, metrics. Undefined when the path is not its own. */
export type PathHandler = (
  request: ServerRequest,
  info: RequestInfo,
) => Promise<ServerResponse | undefined> | ServerResponse | undefined;
