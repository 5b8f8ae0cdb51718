export * from '@windlass/informer';
