import { newBadRequest } from '@windlass/apimachinery';
import { isRecord } from '@windlass/base';

/** Where the next page begins. */
export interface ContinueToken {
  /** The revision of the first page; below 0 to go on at whatever is newest. */
  readonly revision: number;
  /** After the resource's prefix. */
  readonly startKey: string;
  /** When the first page was read, in milliseconds since 1970; undefined in tokens of other servers. */
  readonly begunAt?: number | undefined;
}

interface Wire {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
  /** Ours alone: other servers forget revisions by the clock. */
  readonly begun?: number | undefined;
}

const VERSION = 'meta.k8s.io/v1';

export function encodeContinueToken({ revision, startKey, begunAt }: ContinueToken): string {
  const wire: Wire = { v: VERSION, rv: revision, start: startKey, begun: begunAt };
  return Buffer.from(JSON.stringify(wire)).toString('base64url');
}

export function decodeContinueToken(token: string): ContinueToken {
  const { v, rv, start, begun } = parse(token);
  if (v !== VERSION) throw invalid(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalid(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalid(': encoded start key empty (version meta.k8s.io/v1)');
  // A key that climbs out of its prefix would show what the caller may not see.
  if (!isClean(start)) throw invalid(`: ${start}`);
  return {
    revision: Math.min(rv, Number.MAX_SAFE_INTEGER),
    startKey: start.replace(/^\//, ''),
    ...(begun !== undefined && { begunAt: begun }),
  };
}

/** No part of the path is empty, `.` or `..`. */
function isClean(key: string): boolean {
  const [head, ...parts] = (key.startsWith('/') ? key : `/${key}`).split('/');
  if (head === '' && parts.length === 1 && parts[0] === '') return true;
  return parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function parse(token: string): Wire {
  const problem = /[^A-Za-z0-9_-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : -1);
  if (problem !== -1) throw invalid(`: illegal base64 data at input byte ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw invalid(': the token is no JSON');
  }
  if (value === null) return { v: '', rv: 0, start: '' };
  if (!isRecord(value))
    throw invalid(`: json: cannot unmarshal ${typeOf(value)} into Go value of type storage.continueToken`);
  const [v, rv, start] = [value['v'] ?? '', value['rv'] ?? 0, value['start'] ?? ''];
  if (typeof v !== 'string') throw wrongType('v', v, 'string');
  if (typeof rv !== 'number' || !Number.isInteger(rv) || Math.abs(rv) > 2 ** 63)
    throw wrongType('rv', rv, 'int64');
  if (typeof start !== 'string') throw wrongType('start', start, 'string');
  const { begun } = value;
  return { v, rv, start, ...(typeof begun === 'number' && { begun }) };
}

function wrongType(field: string, value: unknown, type: string): Error {
  const shown = typeof value === 'number' && type === 'int64' ? `number ${value}` : typeOf(value);
  return invalid(
    `: json: cannot unmarshal ${shown} into Go struct field continueToken.${field} of type ${type}`,
  );
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function invalid(problem: string): Error {
  return newBadRequest(`invalid continue token: continue key is not valid${problem}`);
}
