export * from '@windlass/apiserver/validation';
