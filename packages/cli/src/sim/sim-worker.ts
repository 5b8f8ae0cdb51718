// A process of `windlass sim`: it runs seeds as it is asked to, one at a time. What the user's program prints goes to
// its own stdout and stderr, which the command passes on.
import { InvalidArgumentError, toError } from '@windlass/base';
import { Explorer, execExplorer, failureText, pageOf, testToPaste, timelineText } from '@windlass/simulation';
import { UsageError } from '../command-line/exit.ts';
import { loadSimulations } from './load-simulations.ts';
import type { Answer, Question, SeedTask, ToldRun } from './messages.ts';

const explorers = new Map<string, Explorer>();

async function answerTo(question: Question): Promise<Answer> {
  switch (question.ask) {
    case 'load': {
      const { files, exec } = question;
      const simulations = await loadSimulations(files, { isExec: exec !== undefined });
      for (const [name, { options }] of simulations)
        explorers.set(
          name,
          exec === undefined ? new Explorer(options) : execExplorer(options, { command: exec }),
        );
      return { answer: 'loaded', names: [...simulations.keys()] };
    }
    case 'run': {
      const { task, journalled } = question;
      const outcome = await explorerOf(task).run(task.seed, { journalled });
      const { plan, failure, digest, virtualMs, writes, journal } = outcome;
      return { answer: 'ran', result: { ...task, plan, failure, digest, virtualMs, writes, journal } };
    }
    case 'tell':
      return { answer: 'told', run: await toldRun(question.task) };
    default:
      return question satisfies never;
  }
}

/** What failed is shrunk before it is told. */
async function toldRun(task: SeedTask): Promise<ToldRun> {
  const explorer = explorerOf(task);
  const first = await explorer.run(task.seed, { traced: true });
  const outcome = first.failure === undefined ? first : await explorer.shrink(first);
  return {
    failure: failureText(outcome),
    timeline: timelineText(outcome),
    test: testToPaste(task.simulation, outcome),
    page: pageOf(task.simulation, outcome),
    faults: outcome.plan.length,
    faultsBefore: first.plan.length,
  };
}

function explorerOf({ simulation }: SeedTask): Explorer {
  const explorer = explorers.get(simulation);
  if (explorer === undefined) throw new UsageError(`there is no simulation "${simulation}"`);
  return explorer;
}

/** What is wrong with the program's plan or seeds is told in its own sentence; all else is a defect, with its stack. */
function refusal(error: unknown): Answer {
  const isClear = error instanceof UsageError || error instanceof InvalidArgumentError;
  const { message, stack = message } = toError(error);
  return { answer: 'refused', message: isClear ? message : stack };
}

// Ctrl-C reaches every process of a terminal; the command says when it is over.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.on('message', (question) => {
  // Only the command speaks to this process.
  void answerTo(question as Question)
    .catch(refusal)
    .then((answer) => process.send?.(answer));
});
