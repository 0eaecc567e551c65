/**
 * Enum names: the numbers that stand for them in IPP (RFC 8011, 5.2.6, 5.2.10, 5.2.13; PWG 5100.1, 5.2; the registry
 * of operations), for answers that were written down by name. Attribute without its ending → name → number.
 */

type Numbers = Readonly<Record<string, number>>;

/** Names with numbers that count up from the first. */
function counted(first: number, names: string): Numbers {
  return Object.fromEntries(names.split(' ').map((name, at) => [name, first + at]));
}

const FINISHINGS: Numbers = {
  ...counted(
    3,
    'none staple punch cover bind saddle-stitch edge-stitch fold trim bale booklet-maker jog-offset coat laminate',
  ),
  ...counted(20, 'staple-top-left staple-bottom-left staple-top-right staple-bottom-right'),
  ...counted(24, 'edge-stitch-left edge-stitch-top edge-stitch-right edge-stitch-bottom'),
  ...counted(28, 'staple-dual-left staple-dual-top staple-dual-right staple-dual-bottom'),
  ...counted(32, 'staple-triple-left staple-triple-top staple-triple-right staple-triple-bottom'),
  ...counted(50, 'bind-left bind-top bind-right bind-bottom'),
  ...counted(60, 'trim-after-pages trim-after-documents trim-after-copies trim-after-job'),
  ...counted(70, 'punch-top-left punch-bottom-left punch-top-right punch-bottom-right'),
  ...counted(74, 'punch-dual-left punch-dual-top punch-dual-right punch-dual-bottom'),
  ...counted(78, 'punch-triple-left punch-triple-top punch-triple-right punch-triple-bottom'),
  ...counted(82, 'punch-quad-left punch-quad-top punch-quad-right punch-quad-bottom'),
  ...counted(86, 'punch-multiple-left punch-multiple-top punch-multiple-right punch-multiple-bottom'),
  ...counted(90, 'fold-accordion fold-double-gate fold-gate fold-half fold-half-z fold-left-gate fold-letter'),
  ...counted(97, 'fold-parallel fold-poster fold-right-gate fold-z fold-engineering-z'),
};

const OPERATIONS: Numbers = {
  ...counted(0x02, 'Print-Job Print-URI Validate-Job Create-Job Send-Document Send-URI Cancel-Job Get-Job-Attributes'),
  ...counted(0x0a, 'Get-Jobs Get-Printer-Attributes Hold-Job Release-Job Restart-Job'),
  ...counted(0x10, 'Pause-Printer Resume-Printer Purge-Jobs Set-Printer-Attributes Set-Job-Attributes'),
  ...counted(0x15, 'Get-Printer-Supported-Values Create-Printer-Subscriptions Create-Job-Subscriptions'),
  ...counted(
    0x18,
    'Get-Subscription-Attributes Get-Subscriptions Renew-Subscription Cancel-Subscription Get-Notifications',
  ),
  ...counted(
    0x22,
    'Enable-Printer Disable-Printer Pause-Printer-After-Current-Job Hold-New-Jobs Release-Held-New-Jobs',
  ),
  ...counted(
    0x27,
    'Deactivate-Printer Activate-Printer Restart-Printer Shutdown-Printer Startup-Printer Reprocess-Job',
  ),
  ...counted(0x2d, 'Cancel-Current-Job Suspend-Current-Job Resume-Job Promote-Job Schedule-Job-After'),
  ...counted(0x33, 'Cancel-Document Get-Document-Attributes Get-Documents Delete-Document Set-Document-Attributes'),
  ...counted(0x38, 'Cancel-Jobs Cancel-My-Jobs Resubmit-Job Close-Job Identify-Printer Validate-Document'),
};

export const ENUM_NAMES: Readonly<Record<string, Numbers>> = {
  finishings: FINISHINGS,
  operations: OPERATIONS,
  'orientation-requested': counted(3, 'portrait landscape reverse-landscape reverse-portrait none'),
  'print-quality': counted(3, 'draft normal high'),
};
