import type { Attack } from '../attack.ts';
import { badParameters } from './bad-parameters.ts';
import { bigJson } from './big-json.ts';
import { bigLists } from './big-lists.ts';
import { customResources } from './custom-resources.ts';
import { endlessBodies } from './endless-bodies.ts';
import { expressions } from './expressions.ts';
import { forged } from './forged.ts';
import { frameFloods } from './frame-floods.ts';
import { handshakes } from './handshakes.ts';
import { headerFloods } from './header-floods.ts';
import { idleConnections } from './idle-connections.ts';
import { impersonation } from './impersonation.ts';
import { kills } from './kills.ts';
import { patches } from './patches.ts';
import { quantities } from './quantities.ts';
import { rapidReset } from './rapid-reset.ts';
import { rights } from './rights.ts';
import { selectors } from './selectors.ts';
import { slowHeaders } from './slow-headers.ts';
import { smuggling } from './smuggling.ts';
import { stalledReaders } from './stalled-readers.ts';
import { stopUnderLoad } from './stop-under-load.ts';
import { watches } from './watches.ts';
import { yamlBombs } from './yaml-bombs.ts';

export const ATTACKS: readonly Attack[] = [
  watches,
  endlessBodies,
  slowHeaders,
  handshakes,
  idleConnections,
  rapidReset,
  frameFloods,
  headerFloods,
  stalledReaders,
  yamlBombs,
  bigJson,
  patches,
  customResources,
  expressions,
  selectors,
  quantities,
  bigLists,
  badParameters,
  smuggling,
  rights,
  forged,
  impersonation,
  kills,
  stopUnderLoad,
];
