import { AsyncLocalStorage } from "node:async_hooks"
import { randomBytes } from "node:crypto"
import * as api from "@medusajs/framework/opentelemetry/api"

/** A span as a test sees it. `parent` is the id of the span above it. */
type FakeSpan = {
  name: string
  kind: api.SpanKind
  traceId: string
  spanId: string
  parent: string | undefined
  attributes: api.Attributes
  status: api.SpanStatusCode
  ended: boolean
}

/** Registers a provider and a context manager as an SDK does; `spans` is what began since, in its order. */
export function fakeTelemetry() {
  const spans: FakeSpan[] = []
  const start = (
    name: string,
    options: api.SpanOptions = {},
    context: api.Context = api.context.active()
  ): api.Span => {
    const parent = options.root === true ? undefined : api.trace.getSpanContext(context)
    const span: FakeSpan = {
      name,
      kind: options.kind ?? api.SpanKind.INTERNAL,
      traceId: parent?.traceId ?? randomBytes(16).toString("hex"),
      spanId: randomBytes(8).toString("hex"),
      parent: parent?.spanId,
      attributes: { ...options.attributes },
      status: api.SpanStatusCode.UNSET,
      ended: false,
    }
    spans.push(span)
    const { traceId, spanId } = span
    const recording = {
      spanContext: () => ({ traceId, spanId, traceFlags: parent?.traceFlags ?? api.TraceFlags.SAMPLED }),
      setAttribute: (key: string, value: api.AttributeValue) => void (span.attributes[key] = value),
      setStatus: ({ code }: api.SpanStatus) => void (span.status = code),
      end: () => void (span.ended = true),
    }
    return recording as unknown as api.Span
  }
  const startActiveSpan = (
    name: string,
    options: api.SpanOptions,
    context: api.Context,
    run: (span: api.Span) => void
  ) => {
    const span = start(name, options, context)
    return api.context.with(api.trace.setSpan(context, span), run, undefined, span)
  }
  const tracer = { startSpan: start, startActiveSpan } as unknown as api.Tracer
  api.context.setGlobalContextManager(contextManager())
  api.trace.setGlobalTracerProvider({ getTracer: () => tracer })
  return {
    spans,
    unregister: () => {
      api.trace.disable()
      api.context.disable()
    },
  }
}

function contextManager(): api.ContextManager {
  const storage = new AsyncLocalStorage<api.Context>()
  const manager = {
    active: () => storage.getStore() ?? api.ROOT_CONTEXT,
    with: (context: api.Context, run: (...given: unknown[]) => unknown, self: unknown, ...given: unknown[]) =>
      storage.run(context, () => run.apply(self, given)),
    bind: <Target>(_context: api.Context, target: Target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager as unknown as api.ContextManager
}
