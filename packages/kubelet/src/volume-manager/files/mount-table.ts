/** The mounts at a path and below it, by the kernel's table (`mountinfo`), those on top of others first. */
export function mountsBelow(table: string, path: string): string[] {
  return table
    .split('\n')
    .map((line) => unescaped(line.split(' ')[4] ?? ''))
    .filter((mount) => mount === path || mount.startsWith(`${path}/`))
    .toReversed();
}

/** The kernel writes spaces and the like as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
