export * from '@windlass/console';
