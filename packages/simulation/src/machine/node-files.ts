import { dirname } from 'node:path';
import type { OperatingSystem } from '@windlass/directpv';
import type { NodeFiles } from '@windlass/kubelet';

/** The folder of a kubelet on a machine in memory, where the drivers of the node mount as well. */
export function nodeFiles(os: OperatingSystem): NodeFiles {
  const ensure = (path: string): Promise<void> => os.makeDirectory(path, { recursive: true });
  const replaceText = async (path: string, text: string): Promise<void> => {
    await os.writeFile(`${path}.new`, text);
    await os.rename(`${path}.new`, path);
  };
  return {
    makeFolder: ensure,
    removeFolder: (path) => os.removeDirectory(path),
    removeFile: (path) => os.removeTree(path),
    removeTree: (path) => os.removeTree(path),
    foldersIn: async (path) => {
      if ((await os.entryType(path)) !== 'directory') return [];
      const folders: string[] = [];
      for (const name of await os.list(path))
        if ((await os.entryType(`${path}/${name}`)) !== 'file') folders.push(name);
      return folders;
    },
    exists: async (path) => (await os.entryType(path)) !== undefined,
    readText: (path) => os.readFile(path),
    replaceText,
    link: async (target, path) => {
      await ensure(dirname(path));
      await os.link(target, path);
    },
    // No container reads them: that they are there, and which, is enough.
    writePayload: async (directory, payload) => {
      await ensure(directory);
      const text = JSON.stringify([...payload].map(([path, { data }]) => [path, data.toString('base64')]));
      if ((await os.readFile(`${directory}/..data`)) === text) return false;
      await replaceText(`${directory}/..data`, text);
      return true;
    },
    giveToGroup: async () => {},
  };
}
