import type { BuiltinKind } from '../define-kind.ts';
import { certificateSigningRequest } from './certificate-signing-request/index.ts';

export const certificatesKinds: readonly BuiltinKind[] = [certificateSigningRequest];
