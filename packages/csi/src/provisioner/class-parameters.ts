import { SidecarError } from '../sidecar/errors.ts';
import { isSecretParameter, PARAMETER_PREFIX } from '../sidecar/secrets.ts';

type Parameters = Readonly<Record<string, string>>;

const FS_TYPE = `${PARAMETER_PREFIX}fstype`;

/** The file system that a class asks for, by either of its two names. */
export function fsTypeOf(parameters: Parameters, fallback: string): string {
  const found = Object.entries(parameters).filter(
    ([key]) => key === FS_TYPE || key.toLowerCase() === 'fstype',
  );
  if (found.length > 1) throw new SidecarError(`the class names its file system twice; keep ${FS_TYPE}`);
  return found[0]?.[1] || fallback;
}

/**
 * What is for the driver: all but the prefixed ones, which are for us. One of those that we do not know is
 * an error, because somebody expects it to be heeded.
 */
export function driverParameters(parameters: Parameters): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters)) {
    if (!key.startsWith(PARAMETER_PREFIX)) kept[key] = value;
    else if (key !== FS_TYPE && !isSecretParameter(key))
      throw new SidecarError(`the class has the unknown parameter ${key}`);
  }
  return kept;
}
