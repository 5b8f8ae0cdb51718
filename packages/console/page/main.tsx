import { render } from 'preact';
import { App } from './app.tsx';
import { connect } from './connect.ts';
import { ConsoleState } from './console-state.ts';
import { ConsoleContext } from './context.ts';
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());
const state = new ConsoleState();
const root = document.getElementById('app');
if (root !== null)
  render(
    <ConsoleContext.Provider value={state}>
      <App />
    </ConsoleContext.Provider>,
    root,
  );
connect(state);
