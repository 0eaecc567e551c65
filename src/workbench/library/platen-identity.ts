/**
 * Platen identity: where a bench is, and who is asking.
 */

/** What a bench, or one account of it, is reached by. */
export interface PlatenIdentity {
  /** Base address of the service. */
  readonly url: string;
  /** The key of the account. */
  readonly apiKey: string;
  readonly accountId: number;
  readonly isVirtual: boolean;
  /** The account that the bench has from the start. */
  readonly isMain: boolean;
  /** The name under which the bench reaches this process, for webhooks; loopback when left out. */
  readonly callbackHost?: string | undefined;
}
