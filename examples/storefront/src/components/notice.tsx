import { fill, h, type Children, type View } from "../lib/dom"
import { AlertIcon, CheckIcon } from "./icons"

type NoticeProps = { kind: "problem" | "success" | "info"; title?: string; children?: Children }

/** A message in the flow of the page. */
export function Notice({ kind, title, children }: NoticeProps): View {
  return (
    <div class={`notice notice-${kind}`}>
      {kind === "success" ? <CheckIcon /> : <AlertIcon />}
      <div>
        {title && <p class="notice-title">{title}</p>}
        {children && <p>{children}</p>}
      </div>
    </div>
  )
}

/** An empty area that screen readers announce when `showProblem` or `clear` fills it later. */
export function NoticeArea({ id }: { id: string }): View {
  return <div id={id} class="notice-area" role="alert" />
}

export function showProblem(area: Element, message: Children): void {
  fill(area, <Notice kind="problem">{message}</Notice>)
}

/** Runs `work`; meanwhile the button shows that it is busy and ignores clicks. */
export async function whileBusy<T>(button: HTMLButtonElement, label: string, work: () => Promise<T>): Promise<T> {
  const idleLabel = [...button.childNodes]
  // aria-disabled rather than disabled: the focus stays on the button, and screen readers read the new label.
  button.setAttribute("aria-disabled", "true")
  button.classList.add("busy")
  fill(button, label)
  try {
    return await work()
  } finally {
    button.removeAttribute("aria-disabled")
    button.classList.remove("busy")
    fill(button, idleLabel)
  }
}

export const isBusy = (button: HTMLButtonElement): boolean => button.getAttribute("aria-disabled") === "true"
