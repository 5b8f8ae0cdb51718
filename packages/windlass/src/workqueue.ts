export * from '@windlass/workqueue';
