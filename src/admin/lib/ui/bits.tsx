import { Copy, StatusBadge } from "@medusajs/ui"
import { useFormats } from "../format"

export type Color = "green" | "orange" | "red" | "grey" | "blue" | "purple"

export const Badge = ({ color, children }: { color: Color; children: string }) => (
  <StatusBadge color={color} className="whitespace-nowrap">
    {children}
  </StatusBadge>
)

/** An id or a secret with a copy button. */
export const Copied = ({ text, label }: { text: string; label?: string }) => (
  <span className="inline-flex max-w-full items-center gap-2">
    <code className="txt-compact-small break-all font-mono">{label ?? text}</code>
    <Copy content={text} aria-label={text} />
  </span>
)

export const Moment = ({ at }: { at: string | null }) => {
  const { time } = useFormats()
  return at === null ? (
    <span>–</span>
  ) : (
    <time dateTime={at} className="whitespace-nowrap">
      {time(at)}
    </time>
  )
}

/** A body as JSON, with a copy button. */
export const Json = ({ value }: { value: unknown }) => {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2)
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        className="bg-ui-bg-subtle border-ui-border-base txt-compact-small max-h-96 overflow-auto rounded-lg border p-3 pr-10 font-mono"
      >
        {text}
      </pre>
      <Copy content={text} className="absolute right-3 top-3" aria-label="JSON" />
    </div>
  )
}
