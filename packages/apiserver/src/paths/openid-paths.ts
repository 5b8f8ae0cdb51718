import type { ServiceAccountTokens } from '../access/tokens/service-account-tokens.ts';
import { publicJwk } from '../access/tokens/signing-key.ts';
import type { PathHandler } from '../exchange/path-handler.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

/** Where others learn how to verify the tokens of service accounts. */
export function openIdPaths(tokens: ServiceAccountTokens): PathHandler {
  return async (_request, { path, verb }) => {
    if (verb !== 'get') return undefined;
    if (path === CONFIGURATION) return json('application/json', configuration(tokens.issuer));
    if (path === KEYS) return json('application/jwk-set+json', { keys: [await publicJwk(tokens.key)] });
    return undefined;
  };
}

function configuration(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function json(
  contentType: string,
  value: object,
): {
  type: 'bytes';
  status: number;
  headers: Record<string, string>;
  contentType: string;
  body: string;
} {
  return {
    type: 'bytes',
    status: 200,
    headers: { 'cache-control': 'public, max-age=3600' },
    contentType,
    body: JSON.stringify(value),
  };
}
