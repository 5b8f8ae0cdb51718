// Why a webhook could not be asked, in words that lead to its configuration. Node's own words would speak of Node.

/** By the `code` of the error. */
const REASONS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'signed by unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'signed by unknown authority',
  CERT_HAS_EXPIRED: 'has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'has expired or is not yet valid',
};

const TRUST = 'signed by unknown authority';

/** One sentence about what went wrong between this server and a webhook at the URL, and what to do. */
export function callFailure(error: Error, { url, serverName }: { url: URL; serverName: string }): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = REASONS[code];
  if (reason !== undefined) {
    const advice =
      reason === TRUST
        ? 'put the authority of the webhook into caBundle of its clientConfig'
        : 'give the webhook a certificate that is valid now';
    return new Error(`x509: certificate ${reason}; ${advice}`, { cause: error });
  }
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return new Error(`x509: certificate is not valid for ${serverName}; give the webhook one that is`, {
        cause: error,
      });
    case 'ECONNREFUSED':
      return new Error(`dial tcp ${url.host}: connect: connection refused; see whether the webhook runs`, {
        cause: error,
      });
    case 'ENOTFOUND':
      return new Error(`dial tcp: lookup ${url.hostname}: no such host`, { cause: error });
    case 'ECONNRESET':
      return new Error('the connection was closed before the answer came', { cause: error });
    case 'EPROTO':
      return new Error(`${url.host} does not speak TLS; webhooks must be served over HTTPS`, {
        cause: error,
      });
    default:
      return error;
  }
}
