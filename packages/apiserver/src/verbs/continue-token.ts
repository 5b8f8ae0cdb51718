import { newBadRequest } from '@windlass/apimachinery';

/** Where the next page begins. */
export interface ContinueToken {
  /** The revision of the first page; -1 to go on at whatever is newest. */
  readonly revision: number;
  /** After the resource's prefix. */
  readonly startKey: string;
}

interface Wire {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

export function encodeContinueToken({ revision, startKey }: ContinueToken): string {
  const wire: Wire = { v: VERSION, rv: revision, start: startKey };
  return Buffer.from(JSON.stringify(wire)).toString('base64url');
}

export function decodeContinueToken(token: string): ContinueToken {
  const wire = parse(token);
  if (wire.v !== VERSION)
    throw invalid(`server does not recognize this encoded version ${JSON.stringify(wire.v)}`);
  const { rv } = wire;
  if (rv === undefined || !Number.isSafeInteger(rv) || rv === 0)
    throw invalid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof wire.start !== 'string' || wire.start === '')
    throw invalid('encoded start key empty (version meta.k8s.io/v1)');
  // A key that climbs out of its prefix would show what the caller may not see.
  if (wire.start.split('/').includes('..')) throw invalid('invalid key');
  return { revision: rv, startKey: wire.start };
}

function parse(token: string): Partial<Wire> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Not ours: said below.
  }
  throw invalid('the token is malformed');
}

function invalid(problem: string): Error {
  return newBadRequest(`continue key is not valid: ${problem}`);
}
