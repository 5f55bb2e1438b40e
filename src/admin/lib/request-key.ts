import { useMemo, useRef } from "react"

/** The key of each request that was sent and has not been answered with success, by what it asks for. */
export type Unanswered = Readonly<Record<string, { key: string; until: number }>>

const STORAGE = "gateway.admin.requests"
/** As long as `/api/v2` keeps an `Idempotency-Key`. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1_000

/** With the request, under the key that it was sent with before or under this one; without what is too old. */
export function withRequest(sent: Unanswered, request: string, key: string, now: number): Unanswered {
  const kept = Object.entries(sent).filter(([, { until }]) => until > now)
  return { [request]: { key, until: now + KEPT_FOR_MS }, ...Object.fromEntries(kept) }
}

/** Without the requests that this key was sent with. */
export function withoutKey(sent: Unanswered, answered: string | null): Unanswered {
  return Object.fromEntries(Object.entries(sent).filter(([, { key }]) => key !== answered))
}

/** Of this tab, also after a reload. */
let unanswered = read()

function read(): Unanswered {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE) ?? "{}")
    return typeof stored === "object" && stored !== null ? (stored as Unanswered) : {}
  } catch {
    return {}
  }
}

function keep(next: Unanswered): void {
  unanswered = next
  try {
    sessionStorage.setItem(STORAGE, JSON.stringify(next))
  } catch {
    // Without storage only a reload forgets them.
    return
  }
}

/** Whether the request was sent before, and got no answer. */
export function isUnanswered(sent: Unanswered, request: string, now: number): boolean {
  return (sent[request]?.until ?? 0) > now
}

export type RequestKey = {
  /** The body with the key of this request. */
  sign: (body: object) => object
  /** Whether what was signed last may have been done before. */
  isRepeated: () => boolean
  /** It succeeded: the next request is another one. */
  done: () => void
  /** It was refused. That does not say what became of an earlier attempt. */
  refused: () => void
  /** Another request begins, such as with another file. */
  renew: () => void
}

const wholeBody = (body: object): unknown => body

/**
 * The idempotency key of a form: what it sends twice is done once. When no answer came, the same request keeps its key
 * in forms that are opened later, too. `subjectOf`: what of a body makes it the same request; it may not change.
 */
export function useRequestKey(subjectOf: (body: object) => unknown = wholeBody): RequestKey {
  const own = useRef<string | null>(null)
  const repeated = useRef(false)
  return useMemo(() => {
    const renew = () => void (own.current = null)
    const done = () => {
      keep(withoutKey(unanswered, own.current))
      renew()
    }
    return {
      sign: (body) => {
        const request = JSON.stringify(subjectOf(body))
        const now = Date.now()
        repeated.current = own.current !== null || isUnanswered(unanswered, request, now)
        // Kept before it is sent: a reload must not lose it.
        keep(withRequest(unanswered, request, own.current ?? newKey(), now))
        own.current = unanswered[request].key
        return { ...body, request_key: own.current }
      },
      isRepeated: () => repeated.current,
      done,
      refused: () => {
        if (!repeated.current) {
          done()
        }
      },
      renew,
    }
  }, [subjectOf])
}

/** Not `crypto.randomUUID`: it does not exist on pages served over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
