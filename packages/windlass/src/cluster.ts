export * from '@windlass/cluster';
