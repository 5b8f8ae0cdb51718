export * from '@windlass/apimachinery/api/authorization/v1';
