import { once } from "node:events"
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
    let part = await reading.next()
    response.set("Content-Type", TYPE).set("Content-Disposition", `attachment; filename="${file}"`)
    response.write(BYTE_ORDER_MARK)
    while (part.done !== true) {
      if (!response.write(part.value)) {
        await once(response, "drain", { signal: left.signal })
      }
      part = await reading.next()
    }
    response.end()
  } catch (error) {
    if (left.signal.aborted) {
      return
    }
    if (!response.headersSent) {
      throw error
    }
    request.scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`gateway: the export ${file} broke off: ${(error as Error).message}`)
    response.destroy()
  } finally {
    await reading.return(undefined)
  }
}
