export * from '@windlass/base';
