export * from '@windlass/apimachinery/api/events/v1';
