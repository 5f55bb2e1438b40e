import type { IncomingMessage } from "node:http"

export type BodyProblem = "too_large" | "too_slow" | "cut_short"

/** A body that could not be taken; the connection is as it was, so that the request can be answered. */
export class BodyError extends Error {
  constructor(readonly problem: BodyProblem) {
    super(`the body is ${problem}`)
  }
}

/**
 * The bytes of a body of at most `maxBytes` that arrives within `seconds`. Errors: BodyError. It listens to the stream
 * and never leaves it in the middle of a `for await`: that takes the socket away from the request, and whoever asks the
 * request for its address afterwards throws (Medusa's access log does). A body that is refused is paused; what is left of it is
 * discarded once the answer is out (modules/gateway/http-server/connections.ts).
 */
export function readBytes(
  request: IncomingMessage,
  { maxBytes, seconds }: { maxBytes: number; seconds: number }
): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return Promise.reject(new BodyError("too_large"))
  }
  // A small body has often arrived whole by now: taking it is far cheaper than waiting for its parts.
  if (request.complete && request.readableLength <= maxBytes) {
    return Promise.resolve((request.read() as Buffer | null) ?? Buffer.alloc(0))
  }
  return request.destroyed ? Promise.reject(new BodyError("cut_short")) : collect(request, maxBytes, seconds)
}

function collect(request: IncomingMessage, maxBytes: number, seconds: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const release = () => {
      clearTimeout(timer)
      request.off("data", take).off("end", finish).off("close", breakOff).off("error", breakOff)
    }
    const refuse = (problem: BodyProblem) => {
      release()
      request.pause()
      reject(new BodyError(problem))
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes) {
        refuse("too_large")
      }
    }
    const finish = () => {
      release()
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))
    }
    const breakOff = () => refuse("cut_short")
    const timer = setTimeout(() => refuse("too_slow"), seconds * 1_000).unref()
    request.on("data", take).on("end", finish).on("close", breakOff).on("error", breakOff)
  })
}
