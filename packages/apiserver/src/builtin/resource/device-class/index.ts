import { DeviceClass } from '@windlass/apimachinery/api/resource/v1';
import { defineKind } from '../../define-kind.ts';
import { deviceClassValidation } from './validation.ts';

export const deviceClass = defineKind(DeviceClass, {
  strategy: { generation: 'spec', returnsDeletedObject: true },
  validation: deviceClassValidation,
});
