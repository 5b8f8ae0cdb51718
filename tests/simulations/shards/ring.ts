export const RING = { name: 'foos', namespace: 'default', count: 6 };
