export { type MemoryDriver, type MemoryDriverOptions, memoryDriver } from './memory-driver.ts';
export { type MemoryVolume, MemoryVolumes } from './memory-volumes.ts';
