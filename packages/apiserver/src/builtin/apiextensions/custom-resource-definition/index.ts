import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { defineKind } from '../../define-kind.ts';
import { namedAndDated } from '../../shared/columns.ts';
import { definitionRules } from './strategy.ts';

export const customResourceDefinition = defineKind(CustomResourceDefinition, {
  ...definitionRules,
  printer: namedAndDated,
});
