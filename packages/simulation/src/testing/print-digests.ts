// Prints the digests of the copier's runs with the given seeds: for tests that compare processes.
import { Explorer } from '../run/explorer.ts';
import { copier } from './copier.ts';

const explorer = new Explorer(copier());
for (const seed of process.argv.slice(2)) {
  const { digest } = await explorer.run(Number(seed));
  process.stdout.write(`${digest}\n`);
}
