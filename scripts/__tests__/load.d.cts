/** Loads one of the scripts' ES modules into a test; the caller says what it exports. */
export function load<T>(path: string): Promise<T>
