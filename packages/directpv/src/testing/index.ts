export {
  type BuildDriveOptions,
  type BuildVolumeOptions,
  buildDrive,
  buildVolume,
  servedDrive,
  servedVolume,
} from './builders.ts';
