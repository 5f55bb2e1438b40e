/*
 * What stores in this process log as errors. A test file declares those that its tests provoke: they stay out of the
 * output. Any other fails the file (each-file.ts), so that no run has to be read through for real errors.
 */
const declared: RegExp[] = []
const undeclared: string[] = []

/** Declares, at the top of a test file, errors that its tests make a store log. */
export function expectLoggedErrors(...patterns: RegExp[]): void {
  declared.push(...patterns)
}

/** Called with each line that is logged as an error. */
export function noteLoggedError(line: string): void {
  if (!declared.some((pattern) => pattern.test(line))) {
    undeclared.push(line)
  }
}

/** The errors of this file that it has not declared, once. */
export function takeUndeclaredErrors(): string[] {
  return undeclared.splice(0)
}
