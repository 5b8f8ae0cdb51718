export * from '@windlass/apimachinery/api/apps/v1';
