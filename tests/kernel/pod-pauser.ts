// Pauses a pod, says so, and waits to be killed.
import { linuxOperatingSystem } from '@windlass/directpv';

const [uid = '', maxMs = ''] = process.argv.slice(2);
await linuxOperatingSystem().pausePods([uid], { maxMs: Number(maxMs) });
console.log('paused');
setInterval(() => {}, 1000);
