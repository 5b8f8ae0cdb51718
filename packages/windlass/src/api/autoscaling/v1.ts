export * from '@windlass/apimachinery/api/autoscaling/v1';
