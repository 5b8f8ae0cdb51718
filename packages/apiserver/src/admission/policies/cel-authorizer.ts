import { validateDns1123Label, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { AccessAttributes, AccessDecision, Authorizer } from '../../access/authorizer.ts';
import { ALL_SERVICE_ACCOUNTS } from '../../access/service-account-name.ts';
import { AUTHENTICATED, type UserInfo } from '../../access/user.ts';
import type { Declarations } from '../../custom/cel/language/declarations.ts';

type Asked = Omit<AccessAttributes, 'user' | 'verb'>;

const NOTHING: Asked = {
  isResourceRequest: true,
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
};

/** `authorizer` in expressions: asks what somebody may do. */
export class CelAuthorizer {
  readonly authorizer: Authorizer;
  readonly user: UserInfo;

  constructor(authorizer: Authorizer, user: UserInfo) {
    this.authorizer = authorizer;
    this.user = user;
  }

  of(asked: Partial<Asked>): ResourceCheck {
    return new ResourceCheck(this, { ...NOTHING, ...asked });
  }

  decide(asked: Asked, verb: string): Decision {
    return new Decision(this.authorizer.authorize({ ...asked, user: this.user, verb }));
  }
}

class PathCheck {
  readonly by: CelAuthorizer;
  readonly path: string;
  constructor(by: CelAuthorizer, path: string) {
    this.by = by;
    this.path = path;
  }
}

class GroupCheck {
  readonly by: CelAuthorizer;
  readonly group: string;
  constructor(by: CelAuthorizer, group: string) {
    this.by = by;
    this.group = group;
  }
}

/** `authorizer.requestResource` too. */
export class ResourceCheck {
  readonly by: CelAuthorizer;
  readonly asked: Asked;
  constructor(by: CelAuthorizer, asked: Asked) {
    this.by = by;
    this.asked = asked;
  }
  with(change: Partial<Asked>): ResourceCheck {
    return new ResourceCheck(this.by, { ...this.asked, ...change });
  }
}

class Decision {
  readonly decision: AccessDecision;
  constructor(decision: AccessDecision) {
    this.decision = decision;
  }
}

const AUTHORIZER = 'kubernetes.authorization.Authorizer';
const PATH = 'kubernetes.authorization.PathCheck';
const GROUP = 'kubernetes.authorization.GroupCheck';
const RESOURCE = 'kubernetes.authorization.ResourceCheck';
const DECISION = 'kubernetes.authorization.Decision';

function named(what: string, text: string): string {
  if (text.trim() === '') throw new Error(`${what} must not be empty`);
  return text;
}

function serviceAccount({ authorizer }: CelAuthorizer, namespace: string, name: string): CelAuthorizer {
  if (validateDns1123Label(namespace).length > 0) throw new Error('Invalid service account namespace');
  if (validateDns1123Subdomain(name).length > 0) throw new Error('Invalid service account name');
  return new CelAuthorizer(authorizer, {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [ALL_SERVICE_ACCOUNTS, `${ALL_SERVICE_ACCOUNTS}:${namespace}`, AUTHENTICATED],
  });
}

/** Declares `authorizer` with all that can be asked of it. */
export function registerAuthorizer(env: Declarations): void {
  env
    .declareObject(PATH, PathCheck)
    .declareObject(GROUP, GroupCheck)
    .declareObject(RESOURCE, ResourceCheck)
    .declareObject(DECISION, Decision)
    .declareObject(AUTHORIZER, CelAuthorizer, { requestResource: RESOURCE })
    .variable('authorizer', AUTHORIZER)
    .function(
      `${AUTHORIZER}.path(string): ${PATH}`,
      (by: CelAuthorizer, path: string) => new PathCheck(by, named('path', path)),
    )
    .function(
      `${AUTHORIZER}.group(string): ${GROUP}`,
      (by: CelAuthorizer, group: string) => new GroupCheck(by, group),
    )
    .function(`${AUTHORIZER}.serviceAccount(string, string): ${AUTHORIZER}`, serviceAccount)
    .function(`${GROUP}.resource(string): ${RESOURCE}`, ({ by, group }: GroupCheck, resource: string) =>
      by.of({ group, version: '*', resource: named('resource', resource) }),
    )
    .function(`${RESOURCE}.subresource(string): ${RESOURCE}`, (check: ResourceCheck, subresource: string) =>
      check.with({ subresource }),
    )
    .function(`${RESOURCE}.namespace(string): ${RESOURCE}`, (check: ResourceCheck, namespace: string) =>
      check.with({ namespace }),
    )
    .function(`${RESOURCE}.name(string): ${RESOURCE}`, (check: ResourceCheck, name: string) =>
      check.with({ name }),
    )
    // Our authorizers decide without selectors, as one does that knows none.
    .function(`${RESOURCE}.fieldSelector(string): ${RESOURCE}`, (check: ResourceCheck) => check)
    .function(`${RESOURCE}.labelSelector(string): ${RESOURCE}`, (check: ResourceCheck) => check)
    .function(`${RESOURCE}.check(string): ${DECISION}`, ({ by, asked }: ResourceCheck, verb: string) =>
      by.decide(asked, verb),
    )
    .function(`${PATH}.check(string): ${DECISION}`, ({ by, path }: PathCheck, verb: string) =>
      by.decide({ ...NOTHING, isResourceRequest: false, path }, verb.toLowerCase()),
    )
    .function(`${DECISION}.allowed(): bool`, ({ decision }: Decision) => decision.isAllowed)
    .function(`${DECISION}.reason(): string`, ({ decision }: Decision) => decision.reason)
    .function(`${DECISION}.errored(): bool`, () => false)
    .function(`${DECISION}.error(): string`, () => '');
}
