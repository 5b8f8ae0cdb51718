import type { NodeContext } from '../node-service/node-context.ts';
import { OperatingSystemError } from '../os/index.ts';
import { APP_NAME, VERSION } from '../resources/index.ts';

/** `.directpv/meta.info` of a drive: who made the file system, and which it is. */
function metadataPath({ layout }: NodeContext, fsuuid: string): { folder: string; file: string } {
  const folder = `${layout.mountPath(fsuuid)}/.${APP_NAME}`;
  return { folder, file: `${folder}/meta.info` };
}

export async function writeMetadata(context: NodeContext, fsuuid: string): Promise<void> {
  const { folder, file } = metadataPath(context, fsuuid);
  await context.os.makeDirectory(folder, { mode: 0o750 });
  const facts = `APP_NAME=${APP_NAME}\nAPP_VERSION=${VERSION}\nFSUUID=${fsuuid}\n`;
  await context.os.writeFile(file, facts, { mode: 0o640 });
}

/**
 * Makes sure that what is mounted is the drive that it is taken for. A file that is lost or empty is written again: the
 * file system's own UUID has said already which drive this is.
 * @throws OperatingSystemError where the file names another drive
 */
export async function verifyMetadata(context: NodeContext, fsuuid: string): Promise<void> {
  const { logger, os } = context;
  const { file } = metadataPath(context, fsuuid);
  const text = await os.readFile(file);
  const named = /^FSUUID=(\S+)$/m.exec(text ?? '')?.[1];
  if (named === fsuuid) return;
  if (named !== undefined)
    throw new OperatingSystemError(
      'ESTALE',
      `the file system says ${fsuuid}, but its .${APP_NAME}/meta.info says ${named}: it is a copy, or was given another UUID`,
    );
  logger.warn('the file that names a drive was lost, and is written again', { drive: fsuuid, file });
  await writeMetadata(context, fsuuid);
}
