export * from '@windlass/directpv';
