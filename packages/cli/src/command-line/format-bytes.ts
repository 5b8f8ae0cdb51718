const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Bytes for people: `512 MiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const rounded = Math.floor(value * 10 + 0.5) / 10;
  return `${unit > 0 && rounded < 10 ? rounded.toFixed(1) : Math.floor(value + 0.5)} ${UNITS[unit]}`;
}
