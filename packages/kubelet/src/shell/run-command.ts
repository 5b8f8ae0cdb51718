import { FileError } from './container-files.ts';
import { fileProblem, openForWriting } from './file-programs.ts';
import { parseScript, ScriptError, type SimpleCommand, type Step, type Word } from './parse-script.ts';
import { absolute, complain, type Surroundings, variable } from './program.ts';
import { PROGRAMS } from './programs.ts';

const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);
/** A shell's answer when there is no such program, and when it cannot read its script. */
const NOT_FOUND = 127;
const NOT_UNDERSTOOD = 2;
/** What a substitution may print. */
const MAX_SUBSTITUTION = 64 * 1024;

/** No such program is in the container: the runtime says so, and nothing runs. */
export class ProgramNotFoundError extends FileError {
  readonly program: string;

  constructor(program: string) {
    super(`exec: ${JSON.stringify(program)}: executable file not found in $PATH`);
    this.program = program;
  }
}

interface State {
  readonly variables: Record<string, string>;
  directory: string;
  code: number;
  hasExited: boolean;
}

/**
 * Runs a command in a simulated container: one of the programs, or a shell with a script or with commands that it
 * reads line by line.
 *
 * @param directory where it runs
 * @returns its exit code
 * @throws ProgramNotFoundError when there is no such program
 */
export async function runCommand(
  command: readonly string[],
  directory: string,
  surroundings: Surroundings,
): Promise<number> {
  const [program = '', ...args] = command;
  const state: State = { variables: {}, directory, code: 0, hasExited: false };
  if (!SHELLS.has(baseName(program))) {
    const known = PROGRAMS.get(baseName(program));
    if (known === undefined) throw new ProgramNotFoundError(program);
    return known({ ...surroundings, args, directory });
  }
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (at !== -1) return runScript(args[at + 1] ?? '', state, surroundings);
  return interactive(state, surroundings);
}

async function runScript(script: string, state: State, surroundings: Surroundings): Promise<number> {
  try {
    await runSteps(parseScript(script), state, surroundings);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    state.code = await complain(surroundings, `sh: ${error.message}`, NOT_UNDERSTOOD);
  }
  return state.code;
}

/** A shell without a script: each line of stdin is one. */
async function interactive(state: State, surroundings: Surroundings): Promise<number> {
  let rest = '';
  for await (const bytes of surroundings.stdin) {
    rest += Buffer.from(bytes).toString().replaceAll('\r', '\n');
    // Control-D ends it.
    const isEnd = rest.includes('\u0004');
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      await runScript(line, state, surroundings);
      if (state.hasExited) return state.code;
    }
    if (isEnd) return state.code;
  }
  if (rest !== '') await runScript(rest, state, surroundings);
  return state.code;
}

async function runSteps(steps: readonly Step[], state: State, surroundings: Surroundings): Promise<void> {
  for (const { after, run } of steps) {
    if (state.hasExited || surroundings.signal.aborted) return;
    if ((after === '&&' && state.code !== 0) || (after === '||' && state.code === 0)) continue;
    if (run.type === 'command') await runSimple(run, state, surroundings);
    else
      while (!state.hasExited && !surroundings.signal.aborted) await runSteps(run.body, state, surroundings);
  }
}

async function runSimple(command: SimpleCommand, state: State, surroundings: Surroundings): Promise<void> {
  const words: string[] = [];
  for (const word of command.words) words.push(await expanded(word, state, surroundings));
  const [name = '', ...args] = words;
  const [, variable, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(name) ?? [];
  if (variable !== undefined && args.length === 0) {
    state.variables[variable] = value;
    state.code = 0;
    return;
  }
  if (command.output === undefined) {
    await runProgram(name, args, state, surroundings);
    return;
  }
  const path = await expanded(command.output.path, state, surroundings);
  try {
    const found = await surroundings.files.resolve(absolute(state.directory, path));
    await using file = await openForWriting(found, command.output.isAppended);
    await runProgram(name, args, state, {
      ...surroundings,
      stdout: async (bytes) => void (await file.write(bytes)),
    });
  } catch (error) {
    state.code = await complain(surroundings, `sh: can't create ${path}: ${fileProblem(error)}`);
  }
}

async function runProgram(
  name: string,
  args: readonly string[],
  state: State,
  surroundings: Surroundings,
): Promise<void> {
  if (name === '' || name === 'set') state.code = 0;
  else if (name === 'exit') {
    state.code = args[0] === undefined ? state.code : Number(args[0]) & 0xff;
    state.hasExited = true;
  } else if (name === 'cd') await changeDirectory(args[0] ?? '/', state, surroundings);
  else if (name === 'export') {
    for (const arg of args) {
      const [variable = '', value] = arg.split(/=(.*)/s);
      if (value !== undefined) state.variables[variable] = value;
    }
    state.code = 0;
  } else {
    const program = PROGRAMS.get(baseName(name));
    if (program === undefined) {
      state.code = await complain(surroundings, `sh: ${name}: not found`, NOT_FOUND);
      return;
    }
    const environment = { ...surroundings.environment, ...state.variables };
    state.code = await program({ ...surroundings, environment, args, directory: state.directory });
  }
}

async function changeDirectory(path: string, state: State, surroundings: Surroundings): Promise<void> {
  try {
    const { stats, path: found } = await surroundings.files.resolve(absolute(state.directory, path));
    if (stats?.isDirectory() !== true)
      throw new FileError(stats === undefined ? 'No such file or directory' : 'Not a directory');
    state.directory = found;
    state.code = 0;
  } catch (error) {
    state.code = await complain(surroundings, `sh: cd: ${path}: ${fileProblem(error)}`);
  }
}

async function expanded(word: Word, state: State, surroundings: Surroundings): Promise<string> {
  let text = '';
  for (const part of word) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'variable')
      text +=
        part.name === '?'
          ? String(state.code)
          : (variable(state.variables, part.name) ?? variable(surroundings.environment, part.name) ?? '');
    else text += await substituted(part.words, state, surroundings);
  }
  return text;
}

async function substituted(
  words: readonly Word[],
  state: State,
  surroundings: Surroundings,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await runSimple({ type: 'command', words, output: undefined }, state, {
    ...surroundings,
    stdout: async (bytes) => {
      size += bytes.byteLength;
      if (size <= MAX_SUBSTITUTION) chunks.push(bytes);
    },
  });
  return Buffer.concat(chunks).toString().replace(/\n+$/, '');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
