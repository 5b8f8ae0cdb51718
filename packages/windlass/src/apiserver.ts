export * from '@windlass/apiserver';
