// What the console's server tells its page, as JSON. The page has nothing else: these types are the seam between them.
//
//   GET  /api/about                                → About
//   GET  /api/stream?after=RUN                     → server-sent events: `loop` with a LoopTick every half second,
//                                                    `runs` with RunSummary[] that ended since, `cluster` with
//                                                    ClusterChange[] (the first one has everything that is there)
//   GET  /api/runs?controller=NAME&key=KEY         → RunDetail[], the newest first
//   GET  /api/object?resource=RESOURCE&key=KEY     → ObjectDetail; RESOURCE as `deployments.apps`
//   GET  /api/object?kind=Deployment&key=KEY       → the same
//   GET  /api/why?resource=RESOURCE&key=KEY       → WhyAnswer
//   POST /api/try                  TryRequest      → TryAnswer
//
// Every answer that is not 200 is an ErrorAnswer. Times are milliseconds since 1970, durations milliseconds.

/** What this console can show. */
export interface About {
  readonly version: string;
  /** `windlass up` or the operator's name. */
  readonly title: string;
  readonly server: string | undefined;
  readonly startedAt: number;
  /** Whether the page Try is there. */
  readonly canTry: boolean;
  /** Whether revisions of objects are kept. */
  readonly hasHistory: boolean;
}

/** All controllers at one moment. */
export interface LoopTick {
  readonly at: number;
  readonly controllers: readonly ControllerState[];
  /** There are more runs than are told, more than about a thousand a second: those that are told are a sample. */
  readonly isSampled?: boolean;
}

/** What a controller does now, and how it did lately. */
export interface ControllerState {
  readonly name: string;
  /** Of the last writes of this process, how long until the watch showed them, on average; undefined without any. */
  readonly watchLagMs: number | undefined;
  /** In the queue now, ready to be taken. */
  readonly waiting: number;
  /** Keys that wait for their time because they asked for it. */
  readonly delayed: number;
  /** Keys that wait for their time because they failed. */
  readonly retrying: number;
  readonly working: number;
  readonly workers: number;
  /** Since the process started: the same figures as in /metrics. */
  readonly runs: number;
  readonly errors: number;
  /** Writes to the API server, since somebody began to look. */
  readonly writes: number;
  /** Of the runs that ended in the last ten seconds; undefined without any. */
  readonly runMs: Quantiles | undefined;
  readonly queueMs: Quantiles | undefined;
  /** Keys that wake themselves again and again, by what they write. */
  readonly hot: readonly string[];
}

/** How long something took: half were faster than `p50`, all but one in a hundred faster than `p99`. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** How a run ended. */
export type RunResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** One run of a reconciler that has ended. */
export interface RunSummary {
  /** Counts up. */
  readonly id: number;
  readonly controller: string;
  readonly key: string;
  /** When it began. */
  readonly at: number;
  /** Undefined when nobody looked while it ran. */
  readonly waitedMs: number | undefined;
  readonly tookMs: number;
  readonly result: RunResult;
  readonly error: string | undefined;
  /** When it runs again: after an error, or because it asked for it. */
  readonly againInMs: number | undefined;
  /** The first reason as a sentence, and how many there are. */
  readonly reason: string;
  readonly reasonCount: number;
  readonly writeCount: number;
  /** It was woken by what the run before it wrote. */
  readonly wokeItself: boolean;
}

/** A run, with why it was started and what it read and wrote. */
export interface RunDetail extends RunSummary {
  /** As sentences: `update of pods default/web-1 at 42`. */
  readonly reasons: readonly string[];
  /** What it read from the cache: `pods default/web-1`, `pods: 12 listed`. Empty when nobody looked then. */
  readonly reads: readonly string[];
  readonly writes: readonly WriteDetail[];
}

/** A write of a run. */
export interface WriteDetail {
  /** `create`, `update`, `patch`, `apply`, `delete`. */
  readonly verb: string;
  /** `deployments.apps`, with `/status` for a subresource. */
  readonly resource: string;
  readonly key: string;
  readonly tookMs: number;
  readonly status: number;
  readonly error: string | undefined;
  readonly diff: readonly DiffLine[];
  /** What differed is no longer kept: later writes needed the room. */
  readonly isForgotten?: boolean;
}

/** One field that differs. */
export interface DiffLine {
  /** `spec.replicas`, `metadata.labels["a.b/c"]`, `spec.containers[0].image`. */
  readonly path: string;
  /** As YAML on one line or several; undefined when the field was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What changed on the page Cluster. */
export type ClusterChange =
  | { readonly type: 'set'; readonly item: ClusterItem }
  | {
      readonly type: 'gone';
      readonly kind: ClusterItem['kind'];
      readonly key: string;
      /** Of an owner: a deployment and a stateful set may have the same key. */
      readonly resource?: string;
    };

/** An object that the page Cluster shows. */
export type ClusterItem = NodeItem | PodItem | EventItem | OwnerItem | DriveItem | VolumeItem;

interface Item {
  readonly key: string;
  readonly uid: string;
  readonly createdAt: number;
}

/** A node, as the page shows it. */
export interface NodeItem extends Item {
  readonly kind: 'Node';
  readonly ready: boolean;
  readonly unschedulable: boolean;
  /** Whether somebody took it away on the page Try. */
  readonly lost: boolean;
}

/** What a pod's tile shows: kubectl's word and colour. */
export interface PodItem extends Item {
  readonly kind: 'Pod';
  readonly node: string | undefined;
  /** As kubectl prints it: `Running`, `CrashLoopBackOff`, `Terminating`. */
  readonly state: string;
  readonly mood: 'well' | 'waiting' | 'ending' | 'done' | 'ill';
  readonly restarts: number;
  /** UIDs. */
  readonly owners: readonly string[];
}

/** Something that owns pods, or owns what does. */
export interface OwnerItem extends Item {
  readonly kind: 'Owner';
  /** Of the object: `Deployment`. */
  readonly objectKind: string;
  readonly resource: string;
  readonly desired: number | undefined;
  readonly ready: number | undefined;
  readonly owners: readonly string[];
}

/** An event of Kubernetes, as the page shows it. */
export interface EventItem extends Item {
  readonly kind: 'Event';
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  /** `Pod default/web-1`. */
  readonly about: string;
  readonly aboutKind: string;
  readonly aboutKey: string;
  readonly by: string;
  readonly count: number;
  readonly lastAt: number;
}

/** A drive of DirectPV, as the page shows it. */
export interface DriveItem extends Item {
  readonly kind: 'Drive';
  readonly node: string;
  readonly name: string;
  /** `Ready`, `Lost`, `Error`, `Removed`, `Moving`. */
  readonly status: string;
  readonly readOnly: boolean;
  readonly cordoned: boolean;
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly allocatedBytes: number;
  readonly problem: string | undefined;
}

/** A volume of DirectPV, as the page shows it. */
export interface VolumeItem extends Item {
  readonly kind: 'Volume';
  /** Its drive's key. */
  readonly drive: string;
  readonly node: string;
  readonly pod: string | undefined;
  readonly status: string;
  readonly totalBytes: number;
  readonly usedBytes: number;
  readonly problem: string | undefined;
}

/** An object as people read it, and how it came to be so. */
export interface ObjectDetail {
  readonly resource: string;
  readonly kind: string;
  readonly key: string;
  /** Without managed fields. */
  readonly yaml: string;
  /** Whether it is there; otherwise this is what was last known. */
  readonly exists: boolean;
  /** The oldest first. The last one is what is shown. */
  readonly history: readonly RevisionDetail[];
}

/** Everything that is known of why an object is as it is. */
export interface WhyAnswer {
  readonly object: ObjectDetail;
  /** Runs that were for it, that it caused, or that wrote it; the newest first. */
  readonly runs: readonly RunDetail[];
  /** The newest first. */
  readonly events: readonly EventItem[];
}

/** A state that an object had. */
export interface RevisionDetail {
  readonly resourceVersion: string;
  readonly at: number | undefined;
  /** The field manager that wrote it; undefined when nothing says. */
  readonly by: string | undefined;
  readonly deleted: boolean;
  readonly yaml: string;
  /** Against the revision before; empty for the first one that is kept. */
  readonly diff: readonly DiffLine[];
}

/** What people may do to see the loop heal. In `windlass up` only. */
export type TryRequest =
  | { readonly action: 'scale'; readonly resource: string; readonly key: string; readonly replicas: number }
  | { readonly action: 'delete'; readonly resource: string; readonly key: string }
  | { readonly action: 'create-deployment'; readonly name: string; readonly replicas: number }
  | { readonly action: 'lose-node'; readonly node: string }
  | { readonly action: 'bring-back-node'; readonly node: string }
  /** Watches of the controllers get nothing for a while. */
  | { readonly action: 'hold-watches'; readonly seconds: number }
  /** So many of a hundred requests of the controllers fail for a while. */
  | { readonly action: 'drop-requests'; readonly percent: number; readonly seconds: number };

/** The answer to something that was tried on the page Try. */
export interface TryAnswer {
  /** What was done, as a sentence. */
  readonly done: string;
}

/** The answer to a request that failed. */
export interface ErrorAnswer {
  readonly error: string;
}
