export * from '@windlass/apimachinery';
