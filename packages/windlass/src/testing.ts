export * from '@windlass/cluster/testing';
