export * from '@windlass/codegen';
