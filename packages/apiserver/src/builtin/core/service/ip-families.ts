import { deepEqual, type FieldError, FieldPath, fieldInvalid } from '@windlass/apimachinery';
import type { ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

type Draft = DraftOf<ServiceSpec>;
type Spec = View<ServiceSpec>;

/** This cluster has IPv4 only; a headless service without a selector is whatever its endpoints are. */
export function setFamilies(spec: Draft, old: Spec | undefined, isHeadless: boolean): FieldError[] {
  if (old !== undefined && isAsPreferred(spec, old)) return [];
  const isAnything = isHeadless && Object.keys(spec.selector ?? {}).length === 0;
  const policy =
    spec.ipFamilyPolicy || old?.ipFamilyPolicy || (isAnything ? 'RequireDualStack' : 'SingleStack');
  const asked = spec.ipFamilies ?? [];
  const before = old?.ipFamilies ?? [];
  // Whoever asks for one family of two means the first.
  const isFirstMeant = policy === 'SingleStack' && deepEqual(asked, before);
  const listed = isFirstMeant ? asked.slice(0, 1) : asked;
  const wrong = wrongCount(policy, listed, before);
  if (wrong.length > 0) return wrong;
  const families = listed.length === 0 ? ['IPv4'] : listed;
  const missing = isAnything ? [] : notConfigured(policy, families);
  if (missing.length > 0) return missing;
  const [first = ''] = families;
  const isPair = isAnything && families.length === 1 && policy !== 'SingleStack';
  spec.ipFamilyPolicy = policy;
  spec.ipFamilies = isPair ? [first, first === 'IPv4' ? 'IPv6' : 'IPv4'] : families;
  return [];
}

const wrongPolicy = (policy: string, why: string): FieldError =>
  fieldInvalid(FieldPath.of('spec', 'ipFamilyPolicy'), policy, why);

function wrongCount(policy: string, families: readonly string[], before: readonly string[]): FieldError[] {
  if (policy === 'SingleStack')
    return families.length > 1
      ? [
          wrongPolicy(
            policy,
            "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
          ),
        ]
      : [];
  return families.length > 0 && families.length < before.length
    ? [wrongPolicy(policy, "must be 'SingleStack' to release the secondary IP family")]
    : [];
}

function notConfigured(policy: string, families: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (policy === 'RequireDualStack')
    errors.push(wrongPolicy(policy, 'this cluster is not configured for dual-stack services'));
  const other = families.indexOf('IPv6');
  if (other >= 0)
    errors.push(
      fieldInvalid(FieldPath.of('spec', 'ipFamilies').index(other), 'IPv6', 'not configured on this cluster'),
    );
  return errors;
}

/** Whoever would like two families and changes nothing about it stays with what there was to give. */
function isAsPreferred(spec: Spec, old: Spec): boolean {
  const fields = ['ipFamilyPolicy', 'type', 'clusterIP', 'clusterIPs', 'ipFamilies'] as const;
  return (
    spec.ipFamilyPolicy === 'PreferDualStack' && fields.every((field) => deepEqual(spec[field], old[field]))
  );
}
