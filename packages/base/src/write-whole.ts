import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/** All of it or nothing: a crash never leaves half a file under its name. */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.new`;
  try {
    await writeFile(draft, text, { mode });
    // That mode is less the umask, and not for a draft that was there.
    await chmod(draft, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
