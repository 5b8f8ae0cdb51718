import { resolve } from 'node:path';
import { migrateFromEtcd, migrateToEtcd } from '@windlass/cluster';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { ProgressLine } from '../command-line/progress-line.ts';
import { ETCD_FLAGS, ETCD_HELP, etcdFlags, etcdOptions } from './etcd-flags.ts';

const ETCD = 'etcd';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'move the objects of a stopped cluster into an etcd, or back',
  help: `windlass migrate: moves all objects of a stopped cluster into an etcd, or out of one

Usage: windlass migrate --from DIR --to etcd --etcd-servers LIST [flags]
       windlass migrate --from etcd --to DIR --etcd-servers LIST [flags]

What is there is left as it is. Certificates and keys are in the data directory in either case: keep it,
and give its pki folder to every server that shares the etcd. An etcd that has objects of another cluster is
refused. Every object keeps its uid and gets a new resourceVersion in etcd.

Flags:
  --from DIR           a data directory, or etcd
  --to DIR             the other one
${ETCD_HELP}

Examples:
  windlass migrate --from .windlass --to etcd --etcd-servers http://127.0.0.1:2379
  windlass up --etcd-servers http://127.0.0.1:2379
`,
  async run(args, terminal, signal) {
    const { values } = parseFlags('windlass help migrate', args, {
      options: { from: { type: 'string' }, to: { type: 'string' }, ...ETCD_FLAGS },
    });
    const { from = '', to = '' } = values;
    if ((from === ETCD) === (to === ETCD) || from === '' || to === '')
      throw new UsageError(
        'one of --from and --to must be etcd, and the other one a data directory: windlass migrate --from .windlass --to etcd',
      );
    const flags = etcdFlags(values);
    if (flags === undefined)
      throw new UsageError(
        '--etcd-servers is missing: it says where the etcd is, such as http://127.0.0.1:2379',
      );
    const etcd = await etcdOptions(flags);
    if (from === ETCD) {
      const count = await migrateFromEtcd(etcd, to);
      terminal.out(
        `${count} objects are in ${resolve(to)}\n\nStart the cluster with: windlass up --data-dir ${to}\n`,
      );
      return EXIT_OK;
    }
    const progress = new ProgressLine(terminal, true);
    const count = await migrateToEtcd(from, etcd, {
      signal,
      onProgress: (done, all) => progress.show(`${done} of ${all} objects…`),
    }).finally(() => progress.end());
    terminal.out(
      `${count} objects are in etcd\n\nStart the cluster with: windlass up --data-dir ${from} --etcd-servers ${flags.servers.join(',')}\n`,
    );
    return EXIT_OK;
  },
};
