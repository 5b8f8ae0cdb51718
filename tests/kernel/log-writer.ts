// Writes numbered records, each into the next of several files, without rest; or checks what is in a folder.
// Whatever moment somebody stops the clock at, the records that are there are 1 to some number: a copy in which a
// later record is there and an earlier one is not shows no moment.
import { createHash } from 'node:crypto';
import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILES = 40;
const REST = new Int32Array(new SharedArrayBuffer(4));

const sumOf = (number: number): string =>
  createHash('sha256').update(String(number)).digest('hex').slice(0, 16);

function write(folder: string): void {
  const last = check(folder);
  const files = Array.from({ length: FILES }, (_, index) => openSync(join(folder, `log-${index}`), 'a'));
  for (let number = last + 1; ; number++) {
    writeSync(files[number % FILES] ?? 0, `${number} ${sumOf(number)}\n`);
    if (number === last + FILES) console.log('writing');
    // Some thousand a second: a disk of a test is not endless.
    if (number % 10 === 0) Atomics.wait(REST, 0, 0, 1);
  }
}

/** The last record. Only that one may be torn. */
function check(folder: string): number {
  const numbers: number[] = [];
  for (const name of readdirSync(folder))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const [number = '', sum = ''] = line.split(' ');
      if (number !== '' && sum === sumOf(Number(number))) numbers.push(Number(number));
    }
  numbers.sort((a, b) => a - b);
  for (const [index, number] of numbers.entries())
    if (number !== index + 1) {
      console.error(`record ${index + 1} is missing; there are ${numbers.length}, up to ${numbers.at(-1)}`);
      process.exit(1);
    }
  return numbers.length;
}

const [first = '', second = ''] = process.argv.slice(2);
if (first === '--check') console.log(check(second));
else write(first);
