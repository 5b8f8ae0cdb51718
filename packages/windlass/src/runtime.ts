export * from '@windlass/runtime';
