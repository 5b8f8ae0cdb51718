import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** What a port of an endpoint says of its protocols. */
export function validateEndpointProtocol(
  { protocol, appProtocol }: { readonly protocol?: string; readonly appProtocol?: string },
  path: FieldPath,
  findings: Findings,
): void {
  if (protocol === undefined) findings.required(path.child('protocol'));
  else findings.oneOf(path.child('protocol'), protocol, PROTOCOLS);
  if (appProtocol !== undefined) findings.qualifiedName(path.child('appProtocol'), appProtocol);
}
