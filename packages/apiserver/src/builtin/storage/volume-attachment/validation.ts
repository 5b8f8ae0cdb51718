import { FieldPath } from '@windlass/apimachinery';
import type { VolumeAttachment, VolumeAttachmentSource } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import { validateVolumeSpec } from '../../core/persistent-volume/validation.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');
const MAX_INT32 = 2 ** 31 - 1;

export const volumeAttachmentValidation: ValidationOf<VolumeAttachment> = {
  create: validateAttachment,
  update(attachment, old, findings) {
    validateAttachment(attachment, findings);
    findings.immutable(SPEC, attachment.spec, old.spec);
  },
  status: (attachment, _old, findings) => validateStatus(attachment, findings),
};

function validateAttachment(attachment: View<VolumeAttachment>, findings: Findings): void {
  const { attacher = '', source = {}, nodeName = '' } = attachment.spec ?? {};
  validateDriverName(attacher, SPEC.child('attacher'), findings);
  validateSource(source, SPEC.child('source'), findings);
  findings.subdomain(SPEC.child('nodeName'), nodeName);
  validateStatus(attachment, findings);
  if (source.persistentVolumeName !== undefined)
    findings.subdomain(FieldPath.of('spec.source.persistentVolumeName'), source.persistentVolumeName);
}

function validateSource(
  { persistentVolumeName: name, inlineVolumeSpec: inline }: View<VolumeAttachmentSource>,
  path: FieldPath,
  findings: Findings,
): void {
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) findings.required(path, one);
  else if (inline !== undefined && name !== undefined) findings.forbidden(path, one);
  else if (name === '')
    findings.required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName');
  else if (inline !== undefined) validateVolumeSpec(inline, path.child('inlineVolumeSpec'), findings, true);
}

function validateStatus({ status }: View<VolumeAttachment>, findings: Findings): void {
  for (const field of ['attachError', 'detachError'] as const) {
    const code = status?.[field]?.errorCode ?? 0;
    if (code < 0)
      findings.invalid(
        FieldPath.of('status', field, 'errorCode'),
        code,
        `must be between 0 and ${MAX_INT32}, inclusive`,
      );
  }
}
