/**
 * A reader that has left, as in `payments | head -1`, stops the command like Ctrl-C. Without this Node would end it with
 * a stack trace.
 */
export function stopWithReader(output: NodeJS.EventEmitter, stop: AbortController): void {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      throw error
    }
    stop.abort()
  })
}
