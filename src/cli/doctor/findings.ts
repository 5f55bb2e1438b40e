import type { FINDINGS } from "../words/findings"
import type { Params } from "../words/sentence"

type FindingCode = keyof typeof FINDINGS
export type Finding = { level: "warning" | "error"; code: FindingCode; params: Params }

export function failed(code: FindingCode, params: Params = {}): Finding {
  return { level: "error", code, params }
}

export function warned(code: FindingCode, params: Params = {}): Finding {
  return { level: "warning", code, params }
}
