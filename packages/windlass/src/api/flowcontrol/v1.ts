export * from '@windlass/apimachinery/api/flowcontrol/v1';
