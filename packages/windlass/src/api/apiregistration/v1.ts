export * from '@windlass/apimachinery/api/apiregistration/v1';
