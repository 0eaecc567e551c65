export interface Page {
  readonly limit: number;
}
