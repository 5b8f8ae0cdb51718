// The cluster addresses of a service, and their families.
import { FieldPath } from '@windlass/apimachinery';
import type { ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { familyOf, validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

type Spec = View<ServiceSpec>;

const ADDRESSES = FieldPath.of('spec', 'clusterIPs');
const FAMILIES = FieldPath.of('spec', 'ipFamilies');
const POLICY = FieldPath.of('spec', 'ipFamilyPolicy');

export const isHeadless = ({ clusterIPs }: Spec): boolean =>
  clusterIPs?.length === 1 && clusterIPs[0] === 'None';

/** Whether the addresses and their families can be at all. */
export function validateAddresses(spec: Spec, old: Spec | undefined, findings: Findings): void {
  const { clusterIP: first = '' } = spec;
  const addresses = spec.clusterIPs ?? [];
  if (first === '') {
    if (addresses.length > 0)
      findings.invalid(ADDRESSES, addresses, 'must be empty when `clusterIP` is not specified');
  } else if (addresses.length === 0) findings.required(ADDRESSES);
  else if (addresses[0] !== first)
    findings.invalid(ADDRESSES, addresses, 'first value must match `clusterIP`');
  const families = spec.ipFamilies ?? [];
  validateFamilies(families, findings);
  findings.oneOf(POLICY, spec.ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack']);
  const isFine = validateEach(addresses, new Set(old?.clusterIPs), findings);
  if (addresses.length > 2) findings.invalid(ADDRESSES, addresses, 'may only hold up to 2 values');
  if (!isFine) return;
  if (addresses.length > 1 && new Set(addresses.map(familyOf)).size < 2)
    findings.invalid(ADDRESSES, addresses, 'may specify no more than one IP for each IP family');
  if (isHeadless(spec)) return;
  for (const [index, address] of addresses.entries()) {
    const family = families[index];
    if ((family === 'IPv4' && familyOf(address) === 6) || (family === 'IPv6' && familyOf(address) !== 6))
      findings.invalid(
        ADDRESSES.index(index),
        address,
        `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
      );
  }
}

function validateFamilies(families: readonly string[], findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, family] of families.entries()) {
    findings.oneOf(FAMILIES.index(index), family, ['IPv4', 'IPv6']);
    if (seen.has(family)) findings.duplicate(FAMILIES.index(index), family);
    seen.add(family);
  }
}

/** @param known addresses that were accepted before, under older rules */
function validateEach(addresses: readonly string[], known: ReadonlySet<string>, findings: Findings): boolean {
  let isFine = true;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === 'None') {
      if (addresses.length === 1) continue;
      isFine = false;
      findings.invalid(ADDRESSES, addresses, "'None' must be the first and only value");
    } else if (!known.has(address)) isFine = validateIp(findings, ADDRESSES.index(index), address) && isFine;
  }
  return isFine;
}

/** The first address and its family stay; a second may come and go. */
export function validateAddressesUpdate(spec: Spec, old: Spec, findings: Findings): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return;
  if (!(isHeadless(spec) && isHeadless(old))) validateSame(spec, old, 'clusterIPs', 'clusterIP', findings);
  if (!isHeadless(spec) && !isHeadless(old)) validateSame(spec, old, 'ipFamilies', 'ipFamily', findings);
}

function validateSame(
  spec: Spec,
  old: Spec,
  field: 'clusterIPs' | 'ipFamilies',
  noun: string,
  findings: Findings,
): void {
  const [now, before, addresses] = [spec[field] ?? [], old[field] ?? [], spec.clusterIPs ?? []];
  const path = field === 'clusterIPs' ? ADDRESSES : FAMILIES;
  if (now.length === before.length) {
    for (const [index, value] of before.entries())
      if (now[index] !== value)
        findings.invalid(path.index(field === 'ipFamilies' ? 0 : index), now, 'may not change once set');
    return;
  }
  if (now.length < before.length && addresses.length === 0)
    findings.invalid(path.index(0), now, `primary ${noun} can not be unset`);
  if (now.length > 0 && before.length > 0 && now[0] !== before[0])
    findings.invalid(path.index(0), addresses, 'may not change once set');
  if (now.length === 1 && before.length === 2 && spec.ipFamilyPolicy !== 'SingleStack')
    findings.invalid(
      POLICY,
      spec.ipFamilyPolicy ?? null,
      `must be set to 'SingleStack' when releasing the secondary ${noun}`,
    );
}
