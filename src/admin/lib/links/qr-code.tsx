import qrcode from "qrcode-generator"
import { useMemo } from "react"

/** The blank modules around the code that readers need. */
const QUIET_ZONE = 4

/** A QR code, black on white in both themes: many readers do not take it inverted. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, path } = useMemo(() => drawn(text), [text])
  const side = size + 2 * QUIET_ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      className="w-56 max-w-full rounded-lg"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

function drawn(text: string): { size: number; path: string } {
  const code = qrcode(0, "M")
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => (code.isDark(row, column) ? `M${column} ${row}h1v1h-1z` : "")).join("")
  )
  return { size, path: rows.join("") }
}
