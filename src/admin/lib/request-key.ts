import { useCallback, useState } from "react"

/** What one request is sent under: sent twice, it is done once. `renew` begins another request. */
export function useRequestKey(): [key: string, renew: () => void] {
  const [key, setKey] = useState(newKey)
  return [key, useCallback(() => setKey(newKey()), [])]
}

/** Not `crypto.randomUUID`: an admin that is served over plain HTTP does not have it. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
