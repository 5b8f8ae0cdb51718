import { VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { volumeAttachmentValidation } from './validation.ts';

export const volumeAttachment = defineKind(VolumeAttachment, {
  strategy: { allowUnconditionalUpdate: false, returnsDeletedObject: true },
  validation: volumeAttachmentValidation,
  printer: printer(
    [
      { ...column('Attacher'), format: 'name' },
      column('PV'),
      column('Node'),
      column('Attached', 'boolean'),
      AGE_COLUMN,
    ],
    (attachment, now) => [
      attachment.spec?.attacher ?? '',
      attachment.spec?.source?.persistentVolumeName ?? '',
      attachment.spec?.nodeName ?? '',
      attachment.status?.attached ?? false,
      ageOf(attachment, now),
    ],
  ),
});
