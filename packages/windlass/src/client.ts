export * from '@windlass/client';
