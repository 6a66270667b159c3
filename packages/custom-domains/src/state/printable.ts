// Text from the network, cleaned where it is read: it is stored, logged, printed to terminals and shown on pages.

/** Control characters, among them escape sequences, and those that are invisible or change the direction of a text. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/** @param longest the number of characters that are kept */
export function printable(text: string, longest = 500): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).replace(unprintable, '\ufffd')
}
