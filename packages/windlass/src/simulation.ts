export * from '@windlass/simulation';
