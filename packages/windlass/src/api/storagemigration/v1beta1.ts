export * from '@windlass/apimachinery/api/storagemigration/v1beta1';
