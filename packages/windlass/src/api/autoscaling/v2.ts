export * from '@windlass/apimachinery/api/autoscaling/v2';
