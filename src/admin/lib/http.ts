import { getI18n } from "react-i18next"
import { forbiddenText, noAnswerText, refusalText, type FieldFault } from "./text"

/** Medusa's bundler defines these: the admin may be served from another address than the API, and sign in by token. */
declare const __BACKEND_URL__: string | undefined
declare const __AUTH_TYPE__: string | undefined
declare const __JWT_TOKEN_STORAGE_KEY__: string | undefined

const base = (typeof __BACKEND_URL__ === "undefined" ? "" : (__BACKEND_URL__ ?? "")).replace(/\/$/, "")

/** The address of a public file of the deployment, such as a logo. */
export function fileUrl(path: string): string {
  return `${base}${path}`
}

/** A refusal by the API, with its message; a failure; or no answer, which has no status. */
export class AdminError extends Error {
  /** The faults that a field on screen shows. */
  readonly shown = new Set<FieldFault>()

  constructor(
    message: string,
    readonly status?: number,
    readonly code = "",
    readonly faults: readonly FieldFault[] = [],
    /** How many more there are: the API names only the first. */
    readonly faultsOmitted = 0
  ) {
    super(message)
  }

  /** Whether nothing was done. After a failure, or without an answer, it may have been done. */
  get isRefusal(): boolean {
    return this.status !== undefined && this.status < 500
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>
export type Request = {
  method?: "GET" | "POST" | "DELETE"
  query?: Query
  body?: unknown
  /** Sent as it is, in place of a body. */
  file?: Blob
  signal?: AbortSignal
}

/** Sends one request to `/admin/gateway` as the signed-in admin. Throws an AdminError for a refusal or a failure. */
export async function request<Answer>(path: string, options: Request = {}): Promise<Answer> {
  return answered(async () => (await (await send(path, options)).json()) as Answer)
}

/** Downloads a file from `/admin/gateway` under the name that the response gives. Throws like `request`. */
export async function download(path: string, query: Query): Promise<void> {
  const { name, file } = await answered(async () => {
    const response = await send(path, { query })
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "download"
    return { name, file: await response.blob() }
  })
  saveFile(name, file)
}

/** Makes the browser save a file, as after the press of a download link. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = Object.assign(document.createElement("a"), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}

/** Throws what the browser reports of a lost connection, before or in the middle of an answer, as an AdminError too. */
async function answered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isKnown = error instanceof AdminError || (error instanceof DOMException && error.name === "AbortError")
    throw isKnown ? error : new AdminError(noAnswerText())
  }
}

async function send(path: string, { method = "GET", query = {}, body, file, signal }: Request): Promise<Response> {
  const response = await fetch(`${base}/admin/gateway${path}${searchOf(query)}`, {
    method,
    credentials: "include",
    headers: {
      Accept: "application/json, */*",
      "Accept-Language": language(),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(file === undefined ? {} : { "Content-Type": "application/octet-stream" }),
      ...token(),
    },
    body: file ?? (body === undefined ? undefined : JSON.stringify(body)),
    signal,
  })
  if (!response.ok) {
    throw errorOf(response, await response.json().catch(() => null), method === "GET")
  }
  return response
}

function searchOf(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") {
      search.set(name, String(value))
    }
  }
  return search.size === 0 ? "" : `?${search}`
}

/** The language of refusals: that of the admin's pages, which exist in two. */
function language(): "en" | "bn" {
  return getI18n()?.language === "bn" ? "bn" : "en"
}

function token(): Record<string, string> {
  if (typeof __AUTH_TYPE__ === "undefined" || __AUTH_TYPE__ !== "jwt") {
    return {}
  }
  const key = typeof __JWT_TOKEN_STORAGE_KEY__ === "undefined" ? undefined : __JWT_TOKEN_STORAGE_KEY__
  const value = localStorage.getItem(key || "medusa_auth_token")
  return value === null ? {} : { Authorization: `Bearer ${value}` }
}

type Refusal = {
  message?: unknown
  type?: unknown
  code?: unknown
  field?: unknown
  details?: unknown
  details_omitted?: unknown
  reason?: unknown
}

/** What Medusa's check of the roles answers; the gateway's own refusals have a code. */
const FORBIDDEN = "forbidden"

function errorOf(response: Response, answer: unknown, isRead: boolean): AdminError {
  const { message, type, code, field, details, details_omitted: omitted, reason } = (answer ?? {}) as Refusal
  const said = typeof message === "string" ? message : `${response.status} ${response.statusText}`
  const isForbidden = type === FORBIDDEN && typeof code !== "string"
  const text = isForbidden ? forbiddenText(isRead) : (refusalText(reason) ?? said)
  const named = typeof field === "string" ? [{ field, message: text, reason }] : []
  const faults = Array.isArray(details)
    ? (details as FieldFault[]).map((one) => ({ ...one, message: refusalText(one.reason) ?? one.message }))
    : named
  const codeText = typeof code === "string" ? code : ""
  return new AdminError(text, response.status, codeText, faults, typeof omitted === "number" ? omitted : 0)
}

/** What a browser gets of a presenter's result: JSON has texts for times. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Element)[]
    ? Json<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Json<Value[Name]> }
      : Value
