import { Pod } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { podBinding } from './binding.ts';
import { setPodDefaults } from './defaults.ts';
import { podEviction } from './eviction.ts';
import { podPrinter } from './printer.ts';
import { podFields } from './selectable-fields.ts';
import { podStrategy } from './strategy.ts';
import { podValidation } from './validation.ts';

export const pod = defineKind(Pod, (services) => ({
  strategy: podStrategy,
  defaults: setPodDefaults,
  validation: podValidation,
  printer: podPrinter,
  selectableFields: podFields,
  subresources: {
    binding: podBinding(services),
    eviction: podEviction(services),
    ephemeralcontainers: { type: 'part' },
    resize: { type: 'part' },
    ...services.connect?.pods,
  },
}));
