import { useCallback } from "react"
import { useSearchParams } from "react-router-dom"

const OPENED = "opened"

/** The id of an open drawer is in the address: a link leads to the open drawer, and Back closes it. */
export function useOpened(): [id: string | null, open: (id: string | null) => void] {
  const [params, setParams] = useSearchParams()
  const open = useCallback(
    (id: string | null) =>
      setParams((before) => {
        const after = new URLSearchParams(before)
        if (id === null) {
          after.delete(OPENED)
        } else {
          after.set(OPENED, id)
        }
        return after
      }),
    [setParams]
  )
  return [params.get(OPENED), open]
}
