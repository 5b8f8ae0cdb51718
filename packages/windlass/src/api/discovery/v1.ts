export * from '@windlass/apimachinery/api/discovery/v1';
