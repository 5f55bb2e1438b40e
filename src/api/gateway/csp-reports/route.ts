import type { ServerResponse } from "node:http"
import { retryAfter } from "../../../modules/gateway/kernel/http/abuse-limits"
import { countedNetwork } from "../../../modules/gateway/kernel/http/ip"
import { addressOf } from "../../v2-kit/target"
import { BodyError, readBytes } from "../../v2-kit/body"
import { gatewayOf, type PageRequest } from "../../page-kit/request"
import { sendFault, sendNothing } from "../../compress"
import { readReports } from "./read"

const TYPES = ["application/reports+json", "application/csp-report"]
const MOST_BYTES = 16 * 1024
/** Log lines per minute in total: anybody can send reports. */
const LINES_A_MINUTE = 10

/**
 * Receives browsers' reports of what the payment pages' Content-Security-Policy blocked: counts them, and logs a line
 * without ids. 204 for any report; 415, 413, 408, 400 and 429 for anything else.
 */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  try {
    await receive(req, res)
  } catch (error) {
    sendFault(res, req.gatewayPage.services.logger, error)
  }
}

async function receive(req: PageRequest, res: ServerResponse): Promise<void> {
  const gateway = gatewayOf(req)
  const { reports: limit } = gateway.options.pageLimits
  const reading =
    limit === 0 ? null : await gateway.rateLimits.take(`reports:from:${countedNetwork(addressOf(gateway, req))}`, limit)
  if (reading !== null && !reading.allowed) {
    res.setHeader("Retry-After", retryAfter(reading))
    return sendNothing(res, 429)
  }
  const type = (req.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase()
  if (!TYPES.includes(type)) {
    return sendNothing(res, 415)
  }
  const text = await textOf(req, gateway.options.server.bodySeconds)
  if (typeof text === "number") {
    res.setHeader("Connection", "close")
    return sendNothing(res, text)
  }
  const reports = readReports(type, text)
  if (reports === null) {
    return sendNothing(res, 400)
  }
  for (const { directive, blocked, page } of reports) {
    gateway.metrics.countCspReport(directive)
    if ((await gateway.rateLimits.take("reports:lines", LINES_A_MINUTE)).allowed) {
      req.gatewayPage.services.logger.warn(
        `gateway: a browser reports that ${directive} of the payment pages' content rules blocked ${blocked} on ${page}`
      )
    }
  }
  sendNothing(res, 204)
}

/** The body that the browser sent, or the status that explains the refusal. */
async function textOf(req: PageRequest, seconds: number): Promise<string | number> {
  try {
    return (await readBytes(req, { maxBytes: MOST_BYTES, seconds })).toString("utf8")
  } catch (error) {
    if (error instanceof BodyError) {
      return { too_large: 413, too_slow: 408, cut_short: 400 }[error.problem]
    }
    throw error
  }
}
