// Where addresses of a document may lead. All pass here: a link that runs a script would run it on the page.

/** Of a link: another page, or a place that a browser leaves to other programs. Of relative ones, no colon comes first. */
export const mayLink = (href: string) => /^(?:(?:https?|mailto):|[\w.~%+-]+(?:[/?#]|$)|[/?#])/i.test(href)

/** Of an image. The policy of a page lists the origins. */
export const mayLoad = (src: string) => /^https:/i.test(src)
