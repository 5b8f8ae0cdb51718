export * from '@windlass/controllers';
