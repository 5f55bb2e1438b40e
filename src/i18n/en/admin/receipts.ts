export const receipts = {
  title: "Receipt",
  none: "No e-mail with it has been sent.",
  pdf: "Download receipt",
  send: "Send receipt",
  send_again: "Send again",
  send_title: "Send the receipt to the customer?",
  send_title_to: "Send the receipt to {{email}}?",
  send_text: "It goes out as an e-mail with the PDF, in the customer's language.",
  on_its_way: "The receipt is on its way",
}
