import { FieldPath } from '@windlass/apimachinery';
import type { ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import type { ValidationOf } from '../../define-kind.ts';
import { familyOf, strictBlockProblem } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';
import { IMMUTABLE } from '../../shared/immutable.ts';

const CIDRS = FieldPath.of('spec', 'cidrs');

export const serviceCidrValidation: ValidationOf<ServiceCIDR> = {
  create: ({ spec }, findings) => validateCidrs(spec?.cidrs ?? [], findings),
  update({ spec }, { spec: oldSpec }, findings) {
    const [cidrs, old] = [spec?.cidrs ?? [], oldSpec?.cidrs ?? []];
    const isSecondAdded = old.length === 1 && cidrs.length === 2;
    if (cidrs.length !== old.length && !isSecondAdded) {
      findings.invalid(CIDRS, [...cidrs], IMMUTABLE);
      return;
    }
    for (const [index, before] of old.entries())
      if (cidrs[index] !== before) findings.invalid(CIDRS.index(index), cidrs[index] ?? '', IMMUTABLE);
    if (isSecondAdded) validateCidrs(cidrs, findings);
  },
};

function validateCidrs(cidrs: readonly string[], findings: Findings): void {
  if (cidrs.length === 0) {
    findings.required(CIDRS, 'at least one CIDR required');
    return;
  }
  if (cidrs.length > 2) {
    findings.invalid(CIDRS, { cidrs: [...cidrs] }, 'may only hold up to 2 values');
    return;
  }
  for (const [index, cidr] of cidrs.entries()) {
    const problem = strictBlockProblem(cidr);
    if (problem !== undefined) findings.invalid(CIDRS.index(index), cidr, problem);
  }
  const [first, second] = cidrs.map((cidr) => familyOf(cidr.split('/')[0] ?? ''));
  if (cidrs.length === 2 && first !== undefined && first === second)
    findings.invalid(
      CIDRS,
      [...cidrs],
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    );
}
