import { FieldPath } from '@windlass/apimachinery';
import type { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { parseSigningRequest, SigningRequestError } from '@windlass/base';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateSignerName } from './signer-name.ts';

const SPEC = FieldPath.of('spec');
const MIN_EXPIRATION_SECONDS = 600;
const USAGES: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

export const signingRequestValidation: ValidationOf<CertificateSigningRequest> = {
  create({ spec = {} }, findings) {
    const { expirationSeconds: seconds } = spec;
    validateRequest(spec.request ?? '', findings);
    validateUsages(spec.usages ?? [], findings);
    validateSignerName(SPEC.child('signerName'), spec.signerName ?? '', findings);
    if (seconds !== undefined && seconds < MIN_EXPIRATION_SECONDS)
      findings.invalid(
        SPEC.child('expirationSeconds'),
        seconds,
        'may not specify a duration less than 600 seconds (10 minutes)',
      );
  },
};

/** A request that cannot be read, or that its sender did not sign with the key, is never stored. */
function validateRequest(request: string, findings: Findings): void {
  const path = SPEC.child('request');
  try {
    const { isSignatureGood } = parseSigningRequest(Buffer.from(request, 'base64').toString('latin1'));
    if (!isSignatureGood) findings.invalid(path, request, 'the signature is not valid for the key');
  } catch (error) {
    if (!(error instanceof SigningRequestError)) throw error;
    findings.invalid(path, request, error.message);
  }
}

function validateUsages(usages: readonly string[], findings: Findings): void {
  const path = SPEC.child('usages');
  if (usages.length === 0) findings.required(path);
  const seen = new Set<string>();
  for (const [index, usage] of usages.entries()) {
    if (!USAGES.includes(usage)) findings.notSupported(path.index(index), usage, USAGES);
    if (seen.has(usage)) findings.duplicate(path.index(index), usage);
    seen.add(usage);
  }
}
