export * from '@windlass/apimachinery/api/rbac/v1';
