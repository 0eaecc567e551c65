/**
 * Operations that traffic can be made of, by name. What each of them sends stands in operations/.
 */

export const OPERATION_NAMES = [
  'submit',
  'cancel',
  'job',
  'states',
  'list-jobs',
  'list-printers',
  'list-computers',
  'read-scales',
  'put-scale',
  'subscribe-scales',
  'webhooks',
  'tags',
  'whoami',
  'noop',
  'ping',
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];
