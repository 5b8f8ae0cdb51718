// Looks at a console as a browser does, and does nothing with what it is told.
// Usage: node console-viewer.ts URL
const [url = ''] = process.argv.slice(2);
const { origin, searchParams } = new URL(url);
const headers = { authorization: `Bearer ${searchParams.get('token')}` };
const { body } = await fetch(`${origin}/api/stream`, { headers });
let isFirst = true;
for await (const _ of body ?? []) {
  if (isFirst) process.stdout.write('looking\n');
  isFirst = false;
}
