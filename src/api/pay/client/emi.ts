/**
 * Updates the button to the amount of the chosen offer. Like page.ts this is sent to the browser as source text: it may
 * use the browser and its own file, and nothing imported.
 */
export function followInstalments(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-problems]")
  const label = form?.querySelector<HTMLElement>("button[type=submit] .in-instalments")
  if (!form || !label) {
    return
  }
  const unchosen = label.textContent
  const update = () => {
    const chosen = form.querySelector<HTMLInputElement>(
      "input[name=emi][data-pay]:checked, input[name=emi][type=hidden]"
    )
    label.textContent = chosen?.dataset.pay ?? unchosen
  }
  form.addEventListener("change", update)
  window.addEventListener("pageshow", update)
  update()
}
