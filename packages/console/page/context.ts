import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ConsoleState } from './console-state.ts';

export const ConsoleContext = createContext<ConsoleState>(new ConsoleState());

export function useConsole(): ConsoleState {
  return useContext(ConsoleContext);
}
