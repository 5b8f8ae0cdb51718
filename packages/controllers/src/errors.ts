import { WindlassError } from '@windlass/base';

/** The owner that was about to adopt something is deleted, or another object has its name by now. */
export class OwnerGoneError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'OWNER_GONE' });
  }
}

/** A template of pods without labels would make pods that nobody finds again. */
export class NoLabelsError extends WindlassError {
  constructor(owner: string) {
    super(`unable to create pods, no labels: the template of ${owner} has none`, { code: 'NO_LABELS' });
  }
}

/** A name in a list of controllers is none. */
export class UnknownControllerError extends WindlassError {
  constructor(name: string, known: readonly string[]) {
    super(`there is no controller "${name}"; there are ${known.join(', ')}`, { code: 'UNKNOWN_CONTROLLER' });
  }
}

/** Two templates share a hash, so that the second one finds its name taken. The next run takes another. */
export class HashCollisionError extends WindlassError {
  constructor(what: string, count: number) {
    super(`${what} is there with another template or owner; this is collision ${count}`, {
      code: 'HASH_COLLISION',
    });
  }
}

/** The name of a template was computed with a count of collisions that is no longer true. The next run knows it. */
export class StaleCollisionCountError extends WindlassError {
  constructor(owner: string, known: number, now: number) {
    super(`${owner} has had ${now} collisions of names, and not ${known}; it is looked at again`, {
      code: 'STALE_COLLISION_COUNT',
    });
  }
}

/** A namespace could not be emptied in one pass. It is tried again. */
export class NamespaceContentError extends WindlassError {
  constructor(namespace: string, problems: readonly string[]) {
    super(`namespace ${namespace} cannot be emptied yet: ${problems.join(', ')}`, {
      code: 'NAMESPACE_CONTENT',
    });
  }
}

/** A claim that a pod needs is on its way out; another one can be made when it is gone. */
export class ClaimGoingError extends WindlassError {
  constructor(claim: string) {
    super(`the claim ${claim} is being deleted; its pod waits until another one can be made`, {
      code: 'CLAIM_GOING',
    });
  }
}

/** Nobody says how many of these pods there should be. */
export class NoScaleError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'NO_SCALE' });
  }
}

/** A claim has the name that a pod's own claim would have, but belongs to somebody else. */
export class ForeignClaimError extends WindlassError {
  constructor(claim: string, pod: string) {
    super(`PVC ${claim} was not created for pod ${pod} (pod is not owner)`, { code: 'FOREIGN_CLAIM' });
  }
}

/** The claim that a pod names as its own was made for another. */
export class ForeignResourceClaimError extends WindlassError {
  constructor(claim: string, pod: string) {
    super(`ResourceClaim ${claim} was not created for pod ${pod} (pod is not owner)`, {
      code: 'FOREIGN_RESOURCE_CLAIM',
    });
  }
}

/** A pod wants a claim made of a template that is not there. It is tried again. */
export class NoClaimTemplateError extends WindlassError {
  constructor(template: string) {
    super(
      `resource claim template "${template}": resourceclaimtemplate.resource.k8s.io "${template}" not found`,
      {
        code: 'NO_CLAIM_TEMPLATE',
      },
    );
  }
}

/** What an autoscaler goes by is not there, or says nothing. */
export class MetricsError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'METRICS', cause });
  }
}

/** It cannot be told which pods a target of an autoscaler has. */
export class ScaleSelectorError extends WindlassError {
  /** The reason of the event. */
  readonly event: string;
  /** The reason and the message of the condition. */
  readonly condition: string;
  readonly statement: string;

  constructor(event: string, message: string, statement = message) {
    super(message, { code: 'SCALE_SELECTOR' });
    this.event = event;
    this.condition = event === 'SelectorRequired' ? 'InvalidSelector' : event;
    this.statement = statement;
  }
}

/** A service cannot have its load balancer. It is tried again. */
export class LoadBalancerError extends WindlassError {
  constructor(service: string, problem: string) {
    super(`the service ${service} has no load balancer: ${problem}`, { code: 'LOAD_BALANCER' });
  }
}
