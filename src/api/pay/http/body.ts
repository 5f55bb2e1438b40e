import type { IncomingMessage } from "node:http"
import { MAX_FORM_BYTES, MalformedForm, parseForm, type FormFields } from "../form/fields"

/** More than a form of this page can hold. */
export class FormTooLarge extends Error {}

/**
 * Reads and parses a posted form. The routes switch Medusa's parsers off (middlewares-config.ts): their errors would
 * be answered as JSON. Throws MalformedForm or FormTooLarge.
 */
export async function readForm(req: IncomingMessage): Promise<FormFields> {
  const [type, ...parameters] = (req.headers["content-type"] ?? "").toLowerCase().split(";")
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="))
  if (type.trim() !== "application/x-www-form-urlencoded" || (charset ?? "charset=utf-8") !== "charset=utf-8") {
    throw new MalformedForm("not a form")
  }
  if ((req.headers["content-encoding"] ?? "identity") !== "identity") {
    throw new MalformedForm("a form is never compressed")
  }
  return parseForm(await readBody(req))
}

/** The bytes of a body; FormTooLarge beyond `most` of them. */
export function readBody(req: IncomingMessage, most = MAX_FORM_BYTES): Promise<Buffer> {
  // A body that something before us has consumed never ends again: waiting for it would hang the request.
  if (req.readableEnded) {
    return Promise.reject(new MalformedForm("the body has been read already"))
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > most) {
        req.pause()
        reject(new FormTooLarge())
        return
      }
      chunks.push(chunk)
    })
    req.on("end", () => resolve(Buffer.concat(chunks)))
    req.on("aborted", () => reject(new MalformedForm("the body ended early")))
    req.on("error", reject)
  })
}
