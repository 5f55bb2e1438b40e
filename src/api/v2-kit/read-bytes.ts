import type { IncomingMessage } from "node:http"

type BodyProblem = "too_large" | "too_slow" | "cut_short"

/** The body was refused; the connection is intact, so that the request can be answered. */
export class BodyError extends Error {
  constructor(readonly problem: BodyProblem) {
    super(`the body is ${problem}`)
  }
}

/**
 * Reads a body of at most `maxBytes` that arrives within `seconds`. Errors: BodyError. It listens to stream events and
 * never leaves a `for await` early: that detaches the socket from the request, and reading the request's address
 * afterwards throws (Medusa's access log reads it). A refused body is paused; its rest is discarded after the response
 * (modules/gateway/http-server/connections.ts).
 */
export function readBytes(
  request: IncomingMessage,
  { maxBytes, seconds }: { maxBytes: number; seconds: number }
): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return Promise.reject(new BodyError("too_large"))
  }
  // A small body has often arrived completely: reading it is far cheaper than waiting for its parts.
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
