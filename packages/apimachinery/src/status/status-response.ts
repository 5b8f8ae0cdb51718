import { goQuote } from '../text/go-text.ts';
import { formatGroupResource, type GroupResource } from './group-resource.ts';
import { isStatus, type StatusReason } from './status.ts';
import { failureStatus } from './status-constructors.ts';
import { StatusError } from './status-error.ts';

/** What was asked, for the message of an error that the server did not explain. */
export interface RequestSubject {
  /** The HTTP method. */
  readonly method: string;
  readonly resource?: GroupResource;
  readonly name?: string;
}

/** How much of a body that is no Status goes into the error. */
const MAX_TEXT_BYTES = 2048;

const MESSAGES: Readonly<Record<number, readonly [StatusReason, string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

function explain(code: number, method: string, text: string): readonly [StatusReason, string] {
  const known = MESSAGES[code];
  if (known !== undefined) return known;
  switch (code) {
    case 403:
      return ['Forbidden', text];
    case 406:
      return [
        'NotAcceptable',
        text === '' || text === 'unknown'
          ? 'the server was unable to respond with a content type that the client supports'
          : text,
      ];
    case 409:
      return [method === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
    case 415:
      return ['UnsupportedMediaType', text];
    default:
      if (code >= 500)
        return [
          'InternalError',
          `an error on the server (${goQuote(text)}) has prevented the request from succeeding`,
        ];
      return ['', `the server responded with the status code ${code} but did not return more information`];
  }
}

/**
 * The error for an answer that is no Status: a proxy's, a load balancer's, or a path's that no API
 * serves. `text` is what the answer said, or `unknown`.
 */
export function newGenericServerResponse(
  code: number,
  subject: RequestSubject,
  text: string,
  retryAfterSeconds = 0,
): StatusError {
  const [reason, explanation] = explain(code, subject.method, text);
  const { method, resource, name = '' } = subject;
  let message = explanation;
  if (resource !== undefined) {
    const words = [method.toLowerCase(), formatGroupResource(resource)];
    message += ` (${name === '' ? words.join(' ') : [...words, name].join(' ')})`;
  }
  const details = {
    name,
    group: resource?.group ?? '',
    kind: resource?.resource ?? '',
    causes: [{ reason: 'UnexpectedServerResponse', message: text }],
    retryAfterSeconds,
  };
  return new StatusError(failureStatus(code, reason, message, details));
}

/**
 * The error that an answer outside of 200 to 206 stands for. `body` is what the transport decoded: a
 * Status is taken at its word, a text goes into the message, anything else is only `unknown`.
 */
export function statusErrorFromResponse(
  code: number,
  body: unknown,
  subject: RequestSubject,
  headers: Readonly<Record<string, string>> = {},
): StatusError {
  if (isStatus(body) && body.status !== 'Success') return new StatusError(body);
  const retryAfter = headers['retry-after'] ?? '';
  const retryAfterSeconds = /^[+-]?[0-9]+$/.test(retryAfter) ? Number(retryAfter) : 0;
  return newGenericServerResponse(code, subject, textOf(body, headers['content-type']), retryAfterSeconds);
}

function textOf(body: unknown, contentType: string | undefined): string {
  if (contentType !== undefined && !contentType.trimStart().toLowerCase().startsWith('text/'))
    return 'unknown';
  if (typeof body === 'string') return Buffer.from(body).subarray(0, MAX_TEXT_BYTES).toString().trim();
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_TEXT_BYTES))
      .toString()
      .trim();
  return body === undefined ? '' : 'unknown';
}
