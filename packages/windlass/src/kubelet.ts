export * from '@windlass/kubelet';
