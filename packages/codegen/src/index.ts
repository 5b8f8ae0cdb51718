export * from './define-resource.ts';
export * from './errors.ts';
export * from './field.ts';
export * from './manifests.ts';
export { type GeneratedModule, generateModules, type ModuleOptions } from './resource-module.ts';
