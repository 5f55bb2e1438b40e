import { useCallback, useState } from "react"

/** The idempotency key of one form: a request sent twice is done once. `renew` starts another request. */
export function useRequestKey(): [key: string, renew: () => void] {
  const [key, setKey] = useState(newKey)
  return [key, useCallback(() => setKey(newKey()), [])]
}

/** Not `crypto.randomUUID`: it does not exist on pages served over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
