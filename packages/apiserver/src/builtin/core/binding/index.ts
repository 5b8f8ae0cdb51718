import { Binding } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { bindingReview } from '../pod/binding.ts';

export const binding = defineKind(Binding, (services) => ({ review: bindingReview(services) }));
