import type { Attributes, Context, Span } from "@medusajs/framework/opentelemetry/api"

export type Telemetry = typeof import("@medusajs/framework/opentelemetry/api")

/** Where all copies of the API's first major version look for what an SDK has registered. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1")
const SCOPE = "medusa-payment-gateway"
/** W3C Trace Context, version 00: trace, span, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

type Registered = { [REGISTERED]?: { trace?: unknown } }

/**
 * OpenTelemetry's API when the store's instrumentation.ts has registered an SDK that traces. Without one nothing is
 * loaded, and a request costs this one look.
 */
export function telemetry(): Telemetry | undefined {
  if ((globalThis as Registered)[REGISTERED]?.trace === undefined) {
    return undefined
  }
  return require("@medusajs/framework/opentelemetry/api") as Telemetry
}

type SpanSettings = {
  name: string
  kind: keyof Telemetry["SpanKind"]
  /** Ids, names and numbers. Never a key, a token, a card number, a query, or the text of an error. */
  attributes: Attributes
  /**
   * The `traceparent` that was stored with what is worked on now, null when there was none. Left out: the span belongs to
   * what this process is doing.
   */
  cause?: string | null
}

/** Runs `work` in a span of its own. An error marks the span by its name: its message may contain what SQL was given. */
export function inSpan<Result>(
  api: Telemetry,
  { name, kind, attributes, cause }: SpanSettings,
  work: (span: Span) => Promise<Result>
): Promise<Result> {
  const parent = cause === undefined ? api.context.active() : contextOf(api, cause)
  const options = { kind: api.SpanKind[kind], attributes }
  return api.trace.getTracer(SCOPE).startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.setAttribute("error.type", error instanceof Error ? error.name : typeof error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** The trace that this process is working in, to be stored with what others will work on; null: nobody traces. */
export function currentTraceparent(): string | null {
  const api = telemetry()
  const span = api?.trace.getSpanContext(api.context.active())
  if (api === undefined || span === undefined || !api.isSpanContextValid(span)) {
    return null
  }
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 0xff).toString(16).padStart(2, "0")}`
}

/**
 * Without a cause the span begins a new trace. Otherwise it would continue the trace of the code that started the
 * worker's timer.
 */
function contextOf({ trace, ROOT_CONTEXT }: Telemetry, cause: string | null): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(cause ?? "") ?? []
  return traceId === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true })
}
