export * from '@windlass/apimachinery/api/authentication/v1';
