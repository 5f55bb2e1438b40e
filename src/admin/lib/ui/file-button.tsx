import { Button } from "@medusajs/ui"
import { useRef, type ReactNode } from "react"
import type { Area } from "../permission"
import { Guarded } from "./guarded"

type Props = {
  /** Names the file for screen readers. */
  label: string
  /** The types of the files, as an input takes them. */
  accept: string
  pending?: boolean
  /** Where the file changes something. */
  area?: Area
  onFile: (file: File) => void
  /** What the button says. */
  children: ReactNode
}

/** A button that lets the admin choose a file. The browser's own input cannot be styled, so it is out of sight. */
export const FileButton = ({ label, accept, pending = false, area, onFile, children }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Guarded area={area}>
      {(isForbidden) => (
        <>
          <input
            ref={input}
            type="file"
            aria-label={label}
            // The keyboard reaches the button instead.
            tabIndex={-1}
            accept={accept}
            className="sr-only"
            disabled={isForbidden}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) {
                onFile(file)
              }
              // Allows choosing the same file again once it is changed.
              target.value = ""
            }}
          />
          <Button
            type="button"
            size="small"
            variant="secondary"
            isLoading={pending}
            disabled={isForbidden}
            onClick={() => input.current?.click()}
          >
            {children}
          </Button>
        </>
      )}
    </Guarded>
  )
}
