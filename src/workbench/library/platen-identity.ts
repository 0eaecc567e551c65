/**
 * Platen identity: where a workbench is, and who is asking.
 */

/** What a workbench, or one account of it, is reached by. */
export interface PlatenIdentity {
  /** Base address of the service. */
  readonly url: string;
  /** The key of the account. */
  readonly apiKey: string;
  readonly accountId: number;
  readonly isVirtual: boolean;
  /** The account that the workbench has from the start. */
  readonly isMain: boolean;
  /** The name under which the workbench reaches this process, for webhooks; loopback when left out. */
  readonly callbackHost?: string | undefined;
}
