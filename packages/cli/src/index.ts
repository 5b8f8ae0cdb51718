export { processTerminal, type Terminal } from './command-line/terminal.ts';
export { main } from './main.ts';
