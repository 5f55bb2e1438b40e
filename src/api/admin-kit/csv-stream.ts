import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/** Excel takes a file without it for one in the code page of the machine, and shows Bangla as signs. */
const BYTE_ORDER_MARK = "\ufeff"
const TYPE = "text/csv; charset=utf-8"

/** Reads the parts of a file, one after the other; what is under way ends when `signal` is aborted. */
export type Parts = (signal: AbortSignal) => AsyncGenerator<string>

/**
 * Sends a file of any length as it is read: no more than one part is in memory, and the next is read once the client has
 * taken what came before. When the client leaves, the statement under way is cancelled. An error before the first part
 * is thrown; later the connection is cut, so that nobody takes a part of the list for all of it.
 */
export async function sendCsv(
  request: MedusaRequest,
  response: MedusaResponse,
  file: string,
  parts: Parts
): Promise<void> {
  const left = new AbortController()
  response.once("close", () => left.abort())
  const reading = parts(left.signal)
  try {
    const first = await reading.next()
    response.set("Content-Type", TYPE).set("Content-Disposition", `attachment; filename="${file}"`)
    await pipeline(Readable.from(whole(first, reading)), response)
  } catch (error) {
    if (left.signal.aborted && response.errored === null) {
      return
    }
    if (!response.headersSent) {
      throw error
    }
    request.scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`gateway: the export ${file} broke off: ${(error as Error).message}`)
  }
}

async function* whole(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  if (first.done !== true) {
    yield first.value
    yield* rest
  }
}
