export * from '@windlass/apimachinery/api/storage/v1';
