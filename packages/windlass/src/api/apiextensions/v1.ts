export * from '@windlass/apimachinery/api/apiextensions/v1';
