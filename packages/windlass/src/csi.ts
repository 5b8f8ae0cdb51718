export * from '@windlass/csi';
