import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClusterProcess } from '../soak/processes.ts';
import type { Place } from './place.ts';

/** `windlass up` as a process of its own, what it logs and how much memory it takes. */
export class Victim {
  readonly dataDir: string;
  readonly #cluster: ClusterProcess;
  #logRead = 0;

  constructor(dataDir: string, flags: readonly string[]) {
    this.dataDir = dataDir;
    this.#cluster = new ClusterProcess(dataDir, flags);
  }

  async start(): Promise<Place> {
    await this.#cluster.start();
    return this.place();
  }

  async place(): Promise<Place> {
    return {
      host: '127.0.0.1',
      port: this.#cluster.port,
      ca: await readFile(join(this.dataDir, 'pki/ca.crt'), 'utf8'),
    };
  }

  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    return this.#cluster.stop(signal);
  }

  get pid(): number {
    return this.#cluster.pid;
  }

  /** The most that it had resident since `forgetPeak`. */
  get peakMegabytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  }

  forgetPeak(): void {
    // 5 sets the peak back to what is resident now.
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
  }

  /** Lines that are errors or no log lines at all (what Node says before it dies), since the last call. */
  newComplaints(): string[] {
    const lines = readFileSync(join(this.dataDir, 'log'), 'utf8').split('\n').slice(0, -1);
    const fresh = lines.slice(this.#logRead);
    this.#logRead = lines.length;
    return fresh.filter((line) => line !== '' && !isHarmless(line));
  }
}

function isHarmless(line: string): boolean {
  try {
    return (JSON.parse(line) as { level?: string }).level !== 'error';
  } catch {
    return false;
  }
}
