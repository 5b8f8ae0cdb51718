import type { Fault, When } from './fault.ts';

/** One line for people: `operator is killed at its 2nd write, and back after 1 s`. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'request': {
      const which = fault.write === undefined ? `read ${fault.read}` : `write ${fault.write}`;
      return `${which}${andNext(fault)} of ${fault.process}: ${fault.answer}`;
    }
    case 'latency':
      return `${fault.process} is ${ms(fault.addMs)} slower for ${ms(fault.forMs)}, ${from(fault.when)}`;
    case 'watch': {
      const what = `watches of ${fault.resource ?? 'everything'} of ${fault.process}`;
      const effect = {
        drop: 'break',
        hold: `are held for ${ms(fault.forMs ?? 0)}`,
        compact: 'break, and the past is forgotten',
        gap: `are held for ${ms(fault.forMs ?? 0)}, then break, and the past is forgotten`,
      };
      return `${what} ${effect[fault.effect]}, ${from(fault.when)}`;
    }
    case 'kill':
      return `${fault.process} is killed, ${from(fault.when)}, and is back after ${ms(fault.downMs)}`;
    case 'freeze':
      return `${fault.process} stands still for ${ms(fault.forMs)}, ${from(fault.when)}`;
    case 'clock':
      return `the clock of ${fault.process} is set by ${ms(fault.byMs)}, ${from(fault.when)}`;
    case 'partition':
      return `${fault.process} cannot reach the API server for ${ms(fault.forMs)}, ${from(fault.when)}`;
    case 'server':
      return `the API server is away for ${ms(fault.downMs)}, ${from(fault.when)}${fault.compacts === true ? ', and has forgotten the past' : ''}`;
    case 'node':
      return `node ${fault.node} is silent for ${ms(fault.forMs)}, ${from(fault.when)}`;
    case 'drive': {
      const effect = { lost: 'gone', full: 'full', slow: 'slow' }[fault.effect];
      return `${fault.drive} of node ${fault.node} is ${effect} for ${ms(fault.forMs)}, ${from(fault.when)}`;
    }
    case 'call':
      return `${fault.call} ${fault.number}${andNext(fault)} of ${fault.process}: ${fault.code}`;
    default:
      return fault satisfies never;
  }
}

function andNext({ times = 1 }: { readonly times?: number }): string {
  return times > 1 ? ` and the next ${times - 1}` : '';
}

function from(when: When): string {
  return typeof when === 'number' ? `at ${ms(when)}` : `at write ${when.write} of ${when.by}`;
}

/** `1.5 s`, `20 ms`. */
export function ms(value: number): string {
  return Math.abs(value) < 1000 ? `${round(value)} ms` : `${round(value / 1000)} s`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
