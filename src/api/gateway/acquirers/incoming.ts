import type { Incoming } from "../../../modules/gateway/acquirers/port"
import { gatewayOf, type PageRequest } from "../../page-kit/request"
import { readBytes } from "../../v2-kit/body"

/** An acquirer's or an account's, in a path. */
export const NAME = /^[a-z0-9_-]{1,40}$/

/** Longer than any acquirer's return or notification. */
const MOST_BYTES = 64 * 1024

/** What an acquirer or a browser sends, with its exact bytes. Errors: BodyError. */
export async function incomingOf(req: PageRequest): Promise<Incoming> {
  const { bodySeconds: seconds } = gatewayOf(req).options.server
  const body = req.method === "POST" ? await readBytes(req, { maxBytes: MOST_BYTES, seconds }) : Buffer.alloc(0)
  return { method: req.method ?? "", target: req.gatewayPage.target, headers: req.headers, body }
}
