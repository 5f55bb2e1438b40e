/*
 * What stores in this process log as errors. A test file declares those that its tests provoke: they stay out of the
 * output. Any other error of the gateway fails the file (each-file.ts), so that no run has to be read through for real
 * errors. Medusa's own are printed and fail nothing: which of them requests that race each other cause is a matter of
 * milliseconds.
 */
const declared: RegExp[] = []
const undeclared: string[] = []

/** Declares, at the top of a test file, errors that its tests make a store log. */
export function expectLoggedErrors(...patterns: RegExp[]): void {
  declared.push(...patterns)
}

/** Called with each line that is logged as an error. Answers whether it is to be printed. */
export function noteLoggedError(line: string): boolean {
  const isDeclared = declared.some((pattern) => pattern.test(line))
  const isOurs = line.includes('"message":"gateway: ')
  if (!isDeclared && isOurs) {
    undeclared.push(line)
  }
  return !isDeclared && !isOurs
}

/** The gateway's errors that this file has not declared, once. */
export function takeUndeclaredErrors(): string[] {
  return undeclared.splice(0)
}
