export * from '@windlass/scheduler';
