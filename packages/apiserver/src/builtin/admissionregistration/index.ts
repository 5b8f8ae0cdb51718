import type { BuiltinKind } from '../define-kind.ts';
import { mutatingAdmissionPolicy } from './mutating-admission-policy/index.ts';
import { mutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding/index.ts';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration/index.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding/index.ts';
import { validatingWebhookConfiguration } from './validating-webhook-configuration/index.ts';

export const admissionregistrationKinds: readonly BuiltinKind[] = [
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
];
