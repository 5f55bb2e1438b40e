import type { IncomingMessage } from "node:http"
import { BodyError, readBytes } from "../../v2-kit/read-bytes"
import { MAX_FORM_BYTES, MalformedForm, parseForm, type FormFields } from "../form/fields"

/**
 * Reads and parses a posted form that must arrive within `seconds`. The routes switch Medusa's parsers off
 * (middlewares-config.ts): their errors would be answered as JSON. Errors: MalformedForm, and BodyError for one that is
 * too large or too slow.
 */
export async function readForm(req: IncomingMessage, seconds: number): Promise<FormFields> {
  const [type, ...parameters] = (req.headers["content-type"] ?? "").toLowerCase().split(";")
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="))
  if (type.trim() !== "application/x-www-form-urlencoded" || (charset ?? "charset=utf-8") !== "charset=utf-8") {
    throw new MalformedForm("not a form")
  }
  if ((req.headers["content-encoding"] ?? "identity") !== "identity") {
    throw new MalformedForm("a form is never compressed")
  }
  return parseForm(await readBody(req, seconds))
}

async function readBody(req: IncomingMessage, seconds: number): Promise<Buffer> {
  // A body that earlier code has consumed never emits its end: waiting for it would hang the request.
  if (req.readableEnded) {
    throw new MalformedForm("the body has been read already")
  }
  try {
    return await readBytes(req, { maxBytes: MAX_FORM_BYTES, seconds })
  } catch (error) {
    throw error instanceof BodyError && error.problem === "cut_short"
      ? new MalformedForm("the body ended early")
      : error
  }
}
