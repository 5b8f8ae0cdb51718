import { dateText, echoText, printfText } from './echo.ts';
import { parseScript, ScriptError, type SimpleCommand, type Step, type Word } from './parse-script.ts';
import { variable } from './program.ts';
import { sleepMs } from './programs.ts';

/** Something that a container has printed, and when: milliseconds since 1970. */
export interface Printed {
  readonly at: number;
  /** Without the end of the line. */
  readonly text: string;
  /** True for the last one when the line has no end, as after `echo -n`. */
  readonly isOpen?: boolean;
}

export interface PrintingContainer {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly startedAt: number;
  /** Told what goes to a file instead. */
  readonly onFile?: (path: string, text: string, isAppended: boolean) => void;
}

interface State {
  now: number;
  code: number;
  rest: string;
  readonly container: PrintingContainer;
}

/** How a list of commands went on. */
type Outcome = 'goes on' | 'ends';

const SHELLS = /(?:^|\/)(?:sh|bash|ash|dash)$/;

/**
 * What a command prints, in the order and at the time in which it would: for `echo` and its like, lists of them with
 * `sleep`, and `while true` around them. Nothing runs. It may never end, so take what you need.
 */
export function* printedLines(container: PrintingContainer): Generator<Printed, void, undefined> {
  const { command, startedAt } = container;
  const [program = '', ...args] = command;
  const at = SHELLS.test(program) ? args.findIndex((arg) => /^-[a-z]*c$/.test(arg)) : -1;
  const state: State = { now: startedAt, code: 0, rest: '', container };
  if (at === -1) {
    yield* print(command, state);
    yield* flush(state);
    return;
  }
  try {
    yield* runSteps(parseScript(args[at + 1] ?? ''), state);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
  }
  yield* flush(state);
}

function* runSteps(steps: readonly Step[], state: State): Generator<Printed, Outcome, undefined> {
  for (const { after, run } of steps) {
    if ((after === '&&' && state.code !== 0) || (after === '||' && state.code === 0)) continue;
    if (run.type === 'loop') {
      for (;;) {
        const before = state.now;
        if ((yield* runSteps(run.body, state)) === 'ends') return 'ends';
        // A loop that does not wait would print for ever at once: one round stands for all.
        if (state.now === before) return 'ends';
      }
    }
    const words = run.words.map((word) => expanded(word, state));
    // What is set for one command does not reach its own words, and others are not followed that far.
    while (/^\w+=/.test(words[0] ?? '')) words.shift();
    const outcome =
      run.output === undefined ? yield* print(words, state) : printToFile(words, run.output, state);
    if (outcome === 'ends') return 'ends';
  }
  return 'goes on';
}

function* print(words: readonly string[], state: State): Generator<Printed, Outcome, undefined> {
  const [name = '', ...args] = words;
  const program = name.slice(name.lastIndexOf('/') + 1);
  state.code = program === 'false' ? 1 : 0;
  if (program === 'exit') return 'ends';
  if (program === 'sleep') {
    const ms = sleepMs(args);
    if (ms === undefined || ms === Number.POSITIVE_INFINITY) return 'ends';
    state.now += ms;
    return 'goes on';
  }
  const text = textOf(program, args, state);
  // Who can tell what another program prints, or when it ends?
  if (text === undefined) return 'ends';
  const lines = `${state.rest}${text}`.split('\n');
  state.rest = lines.pop() ?? '';
  for (const line of lines) yield { at: state.now, text: line };
  return 'goes on';
}

/** What goes to a file is not printed. */
function printToFile(
  words: readonly string[],
  { path, isAppended }: NonNullable<SimpleCommand['output']>,
  state: State,
): Outcome {
  const { rest } = state;
  state.rest = '';
  const lines: string[] = [];
  const steps = print(words, state);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) lines.push(`${step.value.text}\n`);
  lines.push(state.rest);
  state.rest = rest;
  state.container.onFile?.(expanded(path, state), lines.join(''), isAppended);
  return step.value;
}

function textOf(program: string, args: readonly string[], { now, container }: State): string | undefined {
  switch (program) {
    case 'echo':
      return echoText(args);
    case 'printf':
      return printfText(args);
    case 'date':
      return dateText(now, args);
    case 'hostname':
      return `${container.hostname}\n`;
    case 'env':
      return Object.entries(container.environment)
        .map(([key, value]) => `${key}=${value}\n`)
        .join('');
    case '':
    case ':':
    case 'true':
    case 'false':
    case 'set':
    case 'mkdir':
    case 'touch':
    case 'cd':
    case 'export':
      return '';
    default:
      return undefined;
  }
}

function expanded(word: Word, state: State): string {
  return word
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'variable') return variable(state.container.environment, part.name) ?? '';
      const [program = '', ...args] = part.words.map((each) => expanded(each, state));
      return (textOf(program, args, state) ?? '').replace(/\n+$/, '');
    })
    .join('');
}

function* flush(state: State): Generator<Printed, void, undefined> {
  if (state.rest !== '') yield { at: state.now, text: state.rest, isOpen: true };
}
