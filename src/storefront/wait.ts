/** Resolves after `milliseconds`, or at once when `signal` is aborted; the caller checks `signal.aborted`. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener("abort", done, { once: true })

    function done() {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      resolve()
    }
  })
}
