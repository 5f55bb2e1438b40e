import { byId, h, type Children, type View } from "../lib/dom"
import { NoticeArea, isBusy, whileBusy } from "./notice"

type DialogProps = {
  title: string
  confirm: string
  /** The button's label while `onConfirm` runs. */
  busy: string
  dismiss: string
  children?: Children
  /**
   * Receives the dialog's form. The dialog closes when this resolves, and stays open with the problem when it rejects.
   */
  onConfirm: (form: HTMLFormElement, problem: HTMLElement) => Promise<void>
}

/** Asks for confirmation: Escape and the second button change nothing. */
export function openDialog(place: Element, { title, confirm, busy, dismiss, children, onConfirm }: DialogProps): void {
  const close = () => dialog.close()
  const dialog = (
    <dialog class="dialog" aria-labelledby="dialog-title" onClose={() => dialog.remove()}>
      <form novalidate onSubmit={submit}>
        <h2 id="dialog-title">{title}</h2>
        {children}
        <NoticeArea id="dialog-problem" />
        <div class="dialog-buttons">
          <button class="button" id="dialog-confirm" type="submit">
            {confirm}
          </button>
          <button class="button button-quiet" type="button" onClick={close}>
            {dismiss}
          </button>
        </div>
      </form>
    </dialog>
  ) as View as HTMLDialogElement
  const form = dialog.querySelector("form") as HTMLFormElement
  const button = byId<HTMLButtonElement>(form, "dialog-confirm")

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy(button)) {
      return
    }
    const problem = byId(form, "dialog-problem")
    problem.replaceChildren()
    if (
      await whileBusy(button, busy, () =>
        onConfirm(form, problem).then(
          () => true,
          () => false
        )
      )
    ) {
      close()
    }
  }

  place.append(dialog)
  dialog.showModal()
}
