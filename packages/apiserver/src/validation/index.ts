export {
  CustomResourceValidator,
  type CustomResourceValidatorOptions,
  type ValidatedResource,
} from './custom-resource-validator.ts';
