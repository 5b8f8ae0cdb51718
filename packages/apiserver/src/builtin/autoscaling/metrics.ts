import { type Fields, objectAt } from '../values.ts';

// A metric in autoscaling/v1's annotations is flat, where autoscaling/v2 has a metric and a target.

/** Drops what is undefined, so that nothing is written that was not said. */
function compact(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function metricToV1(metric: Fields): Fields {
  const type = metric['type'];
  const source = (field: string): Fields | undefined => objectAt(metric, field);
  const target = (field: string): Fields | undefined => objectAt(source(field), 'target');
  const about = (field: string): Fields | undefined => objectAt(source(field), 'metric');
  switch (type) {
    case 'Resource':
      return { type, resource: resourceToV1(source('resource'), target('resource')) };
    case 'ContainerResource':
      return {
        type,
        containerResource: compact({
          ...resourceToV1(source('containerResource'), target('containerResource')),
          container: source('containerResource')?.['container'],
        }),
      };
    case 'Pods':
      return {
        type,
        pods: compact({
          metricName: about('pods')?.['name'],
          targetAverageValue: target('pods')?.['averageValue'],
          selector: about('pods')?.['selector'],
        }),
      };
    case 'Object':
      return {
        type,
        object: compact({
          target: source('object')?.['describedObject'],
          metricName: about('object')?.['name'],
          targetValue: target('object')?.['value'] ?? '0',
          selector: about('object')?.['selector'],
          averageValue: target('object')?.['averageValue'],
        }),
      };
    case 'External':
      return {
        type,
        external: compact({
          metricName: about('external')?.['name'],
          metricSelector: about('external')?.['selector'],
          targetValue: target('external')?.['value'],
          targetAverageValue: target('external')?.['averageValue'],
        }),
      };
    default:
      return metric;
  }
}

function resourceToV1(source: Fields | undefined, target: Fields | undefined): Fields {
  return compact({
    name: source?.['name'],
    targetAverageUtilization: target?.['averageUtilization'],
    targetAverageValue: target?.['averageValue'],
  });
}

export function metricFromV1(metric: Fields): Fields {
  const type = metric['type'];
  switch (type) {
    case 'Resource':
      return { type, resource: resourceFromV1(objectAt(metric, 'resource')) };
    case 'ContainerResource': {
      const source = objectAt(metric, 'containerResource');
      return {
        type,
        containerResource: compact({ ...resourceFromV1(source), container: source?.['container'] }),
      };
    }
    case 'Pods': {
      const source = objectAt(metric, 'pods');
      return {
        type,
        pods: {
          metric: compact({ name: source?.['metricName'], selector: source?.['selector'] }),
          target: targetOf(source?.['targetAverageValue'], undefined),
        },
      };
    }
    case 'Object': {
      const source = objectAt(metric, 'object');
      return {
        type,
        object: compact({
          describedObject: source?.['target'],
          metric: compact({ name: source?.['metricName'], selector: source?.['selector'] }),
          target: targetOf(source?.['averageValue'], source?.['targetValue']),
        }),
      };
    }
    case 'External': {
      const source = objectAt(metric, 'external');
      return {
        type,
        external: {
          metric: compact({ name: source?.['metricName'], selector: source?.['metricSelector'] }),
          target: targetOf(source?.['targetAverageValue'], source?.['targetValue']),
        },
      };
    }
    default:
      return metric;
  }
}

function targetOf(averageValue: unknown, value: unknown): Fields {
  return averageValue === undefined
    ? compact({ type: 'Value', value })
    : { type: 'AverageValue', averageValue };
}

function resourceFromV1(source: Fields | undefined): Fields {
  const utilization = source?.['targetAverageUtilization'];
  const target =
    utilization === undefined
      ? { type: 'AverageValue', averageValue: source?.['targetAverageValue'] }
      : { type: 'Utilization', averageUtilization: utilization };
  return { name: source?.['name'], target };
}

/** Where a type of metric keeps its source. */
const FIELDS: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

export function metricStatusToV1(status: Fields): Fields {
  const type = String(status['type']);
  const field = FIELDS[type];
  const source = objectAt(status, field ?? '');
  if (field === undefined || source === undefined) return status;
  const current = objectAt(source, 'current');
  const about = objectAt(source, 'metric');
  const common = { selector: about?.['selector'], metricName: about?.['name'] };
  switch (type) {
    case 'Resource':
    case 'ContainerResource':
      return {
        type,
        [field]: compact({
          name: source['name'],
          currentAverageUtilization: current?.['averageUtilization'],
          currentAverageValue: current?.['averageValue'] ?? '0',
          container: source['container'],
        }),
      };
    case 'Pods':
      return { type, [field]: compact({ ...common, currentAverageValue: current?.['averageValue'] ?? '0' }) };
    case 'Object':
      return {
        type,
        [field]: compact({
          ...common,
          target: source['describedObject'],
          currentValue: current?.['value'] ?? '0',
          averageValue: current?.['averageValue'],
        }),
      };
    default:
      return {
        type,
        [field]: compact({
          metricName: about?.['name'],
          metricSelector: about?.['selector'],
          currentValue: current?.['value'] ?? '0',
          currentAverageValue: current?.['averageValue'],
        }),
      };
  }
}

export function metricStatusFromV1(status: Fields): Fields {
  const type = String(status['type']);
  const field = FIELDS[type];
  const source = objectAt(status, field ?? '');
  if (field === undefined || source === undefined) return status;
  const metric = compact({
    name: source['metricName'],
    selector: source['selector'] ?? source['metricSelector'],
  });
  const current = compact({
    averageUtilization: source['currentAverageUtilization'],
    averageValue: source['currentAverageValue'] ?? source['averageValue'],
    value: source['currentValue'],
  });
  switch (type) {
    case 'Resource':
    case 'ContainerResource':
      return {
        type,
        [field]: compact({ name: source['name'], container: source['container'], current }),
      };
    case 'Object':
      return { type, [field]: compact({ describedObject: source['target'], metric, current }) };
    default:
      return { type, [field]: { metric, current } };
  }
}
