export { type BuildDriveOptions, type BuildVolumeOptions, buildDrive, buildVolume } from './builders.ts';
