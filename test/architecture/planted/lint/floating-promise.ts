async function deliver(): Promise<void> {
  await Promise.resolve();
}

export function printAndForget(): void {
  deliver();
}
