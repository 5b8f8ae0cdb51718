import {
  BOOTSTRAP_TOKEN_NAMESPACE,
  BOOTSTRAP_TOKEN_TYPE,
  type BootstrapToken,
  bootstrapTokenSecretName,
  humanDuration,
  isAlreadyExists,
  isBootstrapTokenId,
  isNotFound,
  NODE_TOKEN_GROUP,
  parseDuration,
  readBootstrapToken,
} from '@windlass/apimachinery';
import { Secret } from '@windlass/apimachinery/api/core/v1';
import { realClock, systemRandom } from '@windlass/base';
import { columns } from '../command-line/columns.ts';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { OUTPUT_OPTIONS, outputFormat } from '../command-line/output-format.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { CONNECTION_FLAGS, CONNECTION_OPTIONS, connectAs } from './cluster-connection.ts';
import { joinCommandFor } from './join-command.ts';
import { groupsOf, randomToken, tokenOf, tokenSecret, usagesOf } from './new-token.ts';

const MANAGER = 'windlass-token';

const createCommand: Command = {
  name: 'create',
  summary: 'make a token, and print it or the command that joins with it',
  help: `windlass token create: a new token, with which machines join the cluster

Usage: windlass token create [TOKEN] [flags]

Without TOKEN it makes one that nobody can guess.

Flags:
  --print-join-command  print what makes a machine a node when it is run there, instead of the token
  --ttl TIME            how long it is good; 0 for ever  (default 24h)
  --description TEXT    what it is for                   (default none)
  --usages LIST         what it is good for              (default signing,authentication)
  --groups LIST         who comes with it is in these groups, too
                        (default ${NODE_TOKEN_GROUP})
${CONNECTION_FLAGS}

Examples:
  windlass token create --print-join-command
  windlass token create --ttl 2h --description "the rack at the window"
`,
  async run(args, terminal, signal) {
    const { values, positionals } = parseFlags('windlass token create --help', args, {
      allowPositionals: true,
      options: {
        ...CONNECTION_OPTIONS,
        ttl: { type: 'string' },
        description: { type: 'string' },
        usages: { type: 'string' },
        groups: { type: 'string', multiple: true },
        'print-join-command': { type: 'boolean' },
      },
    });
    if (positionals.length > 1) throw new UsageError('windlass token create takes one token');
    const [given] = positionals;
    const token = given === undefined ? randomToken(systemRandom) : tokenOf(given);
    const ttlMs = timeToLive(values.ttl ?? '24h');
    const secret = tokenSecret({
      token,
      usages: usagesOf(values.usages ?? 'signing,authentication'),
      groups: groupsOf(values.groups),
      description: values.description ?? '',
      expiresAt: ttlMs === 0 ? undefined : realClock.now() + ttlMs,
    });
    await using client = await connectAs(values, MANAGER);
    const text = `${token.id}.${token.secret}`;
    // Before there is a token that nobody was told of.
    const join = values['print-join-command'] ? await joinCommandFor(client, text, signal) : undefined;
    try {
      await client.resource(Secret).namespace(BOOTSTRAP_TOKEN_NAMESPACE).create(secret, { signal });
    } catch (error) {
      if (isAlreadyExists(error))
        throw new UsageError(
          `there is a token ${token.id} already; windlass token delete ${token.id} deletes it`,
        );
      throw error;
    }
    terminal.out(`${join?.command ?? text}\n`);
    if (join?.warning !== undefined) terminal.err(`windlass: ${join.warning}\n`);
    return EXIT_OK;
  },
};

/** In milliseconds. */
function timeToLive(text: string): number {
  try {
    const ms = parseDuration(text);
    if (ms === 0 || ms >= 1000) return ms;
  } catch {
    // The same is wrong with it.
  }
  throw new UsageError(
    `--ttl must be a time of at least 1s, such as 24h, or 0 for ever, but it is "${text}"`,
  );
}

const listCommand: Command = {
  name: 'list',
  summary: 'show the tokens',
  help: `windlass token list: the tokens of the cluster

Usage: windlass token list [flags]

It shows whole tokens: each lets a machine join.

Flags:
  --output FORMAT   text or json                   (default text)
${CONNECTION_FLAGS}

Examples:
  windlass token list
`,
  async run(args, terminal, signal) {
    const { values } = parseFlags('windlass token list --help', args, {
      options: { ...CONNECTION_OPTIONS, ...OUTPUT_OPTIONS },
    });
    const format = outputFormat(values.output);
    await using client = await connectAs(values, MANAGER);
    const { items } = await client
      .resource(Secret)
      .namespace(BOOTSTRAP_TOKEN_NAMESPACE)
      .list({ fieldSelector: `type=${BOOTSTRAP_TOKEN_TYPE}`, signal });
    const tokens = items.flatMap((secret) => readBootstrapToken(secret) ?? []);
    if (format === 'json') terminal.out(`${JSON.stringify(tokens.map(forTools), undefined, 2)}\n`);
    else if (tokens.length === 0) terminal.out('there are no tokens; windlass token create makes one\n');
    else terminal.out(columns(COLUMNS, tokens.map(rowOf)));
    return EXIT_OK;
  },
};

const COLUMNS = ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'];

function rowOf(token: BootstrapToken): string[] {
  const { id, secret, expiresAt, usages, description, extraGroups } = token;
  const left = expiresAt === undefined ? undefined : expiresAt - realClock.now();
  const ttl = left === undefined ? 'forever' : left > 0 ? humanDuration(left) : 'over';
  return [`${id}.${secret}`, ttl, endOf(token) ?? 'never', usages.join(), description, extraGroups.join()];
}

function forTools(token: BootstrapToken): object {
  const { id, secret, usages, description, extraGroups: groups } = token;
  const expires = endOf(token);
  return {
    token: `${id}.${secret}`,
    usages,
    groups,
    ...(description !== '' && { description }),
    ...(expires !== undefined && { expires }),
  };
}

function endOf({ expiresAt }: BootstrapToken): string | undefined {
  if (expiresAt === undefined) return undefined;
  return Number.isFinite(expiresAt) ? new Date(expiresAt).toISOString() : 'cannot be read';
}

const deleteCommand: Command = {
  name: 'delete',
  summary: 'delete tokens, so that nobody joins with them any more',
  help: `windlass token delete: nobody joins with these tokens any more

Usage: windlass token delete TOKEN... [flags]

TOKEN is a whole token, or its first half. Machines that have joined stay nodes.

Flags:
${CONNECTION_FLAGS}

Examples:
  windlass token delete abcdef
`,
  async run(args, terminal, signal) {
    const { values, positionals } = parseFlags('windlass token delete --help', args, {
      allowPositionals: true,
      options: CONNECTION_OPTIONS,
    });
    if (positionals.length === 0)
      throw new UsageError('windlass token delete takes a token, or its first half');
    const ids = positionals.map((text) => (isBootstrapTokenId(text) ? text : tokenOf(text).id));
    await using client = await connectAs(values, MANAGER);
    const secrets = client.resource(Secret).namespace(BOOTSTRAP_TOKEN_NAMESPACE);
    for (const id of ids) {
      try {
        await secrets.delete(bootstrapTokenSecretName(id), { signal });
      } catch (error) {
        if (isNotFound(error))
          throw new UsageError(`there is no token ${id}; windlass token list shows those there are`);
        throw error;
      }
      terminal.out(`deleted the token ${id}\n`);
    }
    return EXIT_OK;
  },
};

/** Creates, shows and deletes the tokens with which machines join. */
export const TOKEN_COMMANDS: readonly Command[] = [createCommand, listCommand, deleteCommand];
